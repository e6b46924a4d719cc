package io.fanfare.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.QueryBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Words of each script, looked for in texts as people write them. */
class SearchWordsTest {
    private static boolean finds(String words, String text) throws IOException {
        try (Directory directory = new ByteBuffersDirectory()) {
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(SearchWords.ofText()))) {
                Document document = new Document();
                document.add(new TextField("text", SearchWords.folded(text), Field.Store.NO));
                long unused = writer.addDocument(document);
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                Query query =
                        new QueryBuilder(SearchWords.ofQuery()).createPhraseQuery("text", SearchWords.folded(words));
                return query != null && new IndexSearcher(reader).count(query) == 1;
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cafe | un Café noir",
                "CAFE\u0301 | café",
                "lodz | w Łódź dzisiaj",
                "Łódź | Lodz",
                "strasse | in der Straße",
                "STRASSE | straße",
                "oresund | Øresund",
                "l'été | l’été indien",
                "l’ete | c'est l'été",
                "ελλαδα | η Ελλάδα",
                "οδος | Η ΟΔΟΣ",
                "київ | місто КИЇВ",
                "istanbul | İstanbul'da mıyım? İstanbul",
                "isparta | Isparta ISPARTA ısparta",
                "שלום | שָׁלוֹם לכולם",
                "محمد | قال مُحَمَّد",
                "مُحَمَّد | محمد",
                "سلام | ســـلام",
                "می\u200cخواهم | من می\u200cخواهم بروم",
                "میخواهم | من می\u200cخواهم بروم",
                "हिन्दी | यह हिन्दी है",
                "ไทย | ภาษาไทยสวยงาม",
                "ภาษาไทย | ผมเรียนภาษาไทยทุกวัน",
                "ประเทศไทย | ฉันอยู่ที่ประเทศไทยมานาน",
                "မြန်မာ | မြန်မာစာ သင်တယ်",
                "ភាសាខ្មែរ | ខ្ញុំរៀនភាសាខ្មែរ",
                "서울 | 서울에서 만나",
                "서울 | 내일은 서울특별시청 앞에서",
                "서울에서 만나 | 서울에서 만나",
                "서울 부산 | 서울에서 부산까지",
                "한국어 | 저는 한국어를 배워요",
                "日本語 | 私は日本語を話します",
                "ラーメン | 豚骨ラーメンが好き",
                "原神 | 我玩原神很久",
                "co\u00adoperate | cooperate",
                "cooperate | to co\u00adop\u00aderate",
                "ＡＩ | about ai",
            })
    void aWordIsFoundAsPeopleWriteIt(String words, String text) throws IOException {
        assertThat(finds(words, text)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ตา | ตารางเวลา",
                "ตา | ตามมา",
                "กา | การเมือง",
                "서울 | 강서울산",
                "에서 | 서울에서 만나",
                "울에 | 서울에서 만나",
                "부산 | 서울에서 만나",
                "caf | café",
                "हिन्द | हिन्दी",
                "שלו | שלום",
                "語日 | 日本語",
            })
    void aPartOfAnotherWordIsNotFound(String words, String text) throws IOException {
        assertThat(finds(words, text)).isFalse();
    }
}
