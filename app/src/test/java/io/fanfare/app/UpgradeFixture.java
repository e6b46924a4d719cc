package io.fanfare.app;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;

/**
 * A site that a release has written, as later releases find it: its data folder, a backup, and the view of its accounts
 * through the API. {@code config/fixture JAR FOLDER} runs this file with the class path of that release, so it uses
 * nothing of the project but the REST API and the commands.
 */
public final class UpgradeFixture {
    /** Data folder and backup, in {@code VERSION.zip}. */
    static final String DATA = "data/";

    static final String BACKUP = "backup";

    /**
     * The address does not change with the port, old posts move into the archive, an article soon is among the best.
     */
    static final List<String> SETTINGS = List.of(
            "http.public-url=http://fixture.example",
            "limits.enabled=false",
            "archive.profile-max=20",
            "archive.poll=100ms",
            "articles.best-votes=3");

    /** More than stay in Redis, with {@code archive.profile-max} of {@link #SETTINGS}. */
    private static final int OLD_POSTS = 40;

    private static final List<String> NAMES = List.of("ada", "bob", "cleo", "dan");

    private static final long BYTES_MAX = 1 << 20;
    private static final Duration WAIT_MAX = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int PAGE = 40;
    private static final String PASSWORD = "a long password of a fixture";

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private UpgradeFixture() {}

    /**
     * Makes a fixture.
     *
     * @param arguments the jar of a release, and the folder for {@code VERSION.zip} and {@code VERSION.json}
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 2 || !Files.isRegularFile(Path.of(arguments[0]))) {
            System.err.println("fixture: name the jar of a release and a folder: config/fixture JAR FOLDER");
            System.exit(2);
        }
        Path dir = Files.createTempDirectory("fanfare-fixture");
        try {
            Program program = new Program(Path.of(arguments[0]).toAbsolutePath(), dir);
            Path zip = write(program, dir, Path.of(arguments[1]));
            System.out.println("fixture: " + zip + " has " + Files.size(zip) + " bytes");
        } finally {
            remove(dir);
        }
    }

    private static Path write(Program program, Path dir, Path folder) throws Exception {
        String version = program.version();
        Path data = dir.resolve("data");
        Path backup = dir.resolve(BACKUP);
        JsonObject site;
        Process up = program.start(data);
        try {
            String url = program.awaitUrl(up);
            List<Account> accounts = populate(url, NAMES, "engines");
            program.awaitIdle(data);
            site = new JsonObject()
                    .put("version", version)
                    .put("format", 0)
                    .put("settings", new JsonArray(SETTINGS))
                    .put(
                            "accounts",
                            new JsonArray(accounts.stream().map(Account::json).toList()))
                    .put("view", view(url, accounts));
            String unused = program.run("backup", backup.toString(), "--data", data.toString());
            site.put("format", format(backup));
        } finally {
            up.destroy();
            require(up.waitFor(WAIT_MAX.toSeconds(), TimeUnit.SECONDS), "the service does not stop");
        }
        Files.createDirectories(folder);
        Path zip = folder.resolve(version + ".zip");
        pack(zip, data, backup);
        require(Files.size(zip) <= BYTES_MAX, zip + " has more than " + BYTES_MAX + " bytes: write a smaller site");
        Files.writeString(folder.resolve(version + ".json"), site.encodePrettily() + "\n");
        return zip;
    }

    /** The format of the data; the first releases did not name it. */
    private static int format(Path backup) throws IOException {
        try (ZipFile file = new ZipFile(backup.toFile())) {
            InputStream manifest = file.getInputStream(file.getEntry("manifest.json"));
            return new JsonObject(new String(manifest.readAllBytes(), StandardCharsets.UTF_8))
                    .getInteger("data_format", 1);
        }
    }

    // ---- the site ----

    /** An account with its token. */
    record Account(String name, String id, String token) {
        private String mention() {
            return "@" + name;
        }

        JsonObject json() {
            return new JsonObject().put("name", name).put("id", id).put("token", token);
        }

        static Account of(JsonObject json) {
            return new Account(json.getString("name"), json.getString("id"), json.getString("token"));
        }
    }

    /**
     * Signs up four accounts, who use all that the API stores.
     *
     * @param tag of their posts, which one of them follows
     */
    static List<Account> populate(String url, List<String> names, String tag) throws Exception {
        Account ada = signUp(url, names.get(0));
        Account bob = signUp(url, names.get(1));
        Account cleo = signUp(url, names.get(2));
        Account dan = signUp(url, names.get(3));
        Site site = new Site(url);
        site.act("PATCH", "/api/v1/accounts/update_credentials", ada, "display_name=Ada Lovelace", "note=Writes notes");
        site.act("PATCH", "/api/v1/accounts/update_credentials", cleo, "locked=true");
        for (Account follower : List.of(bob, dan)) {
            site.act("POST", "/api/v1/accounts/" + ada.id() + "/follow", follower);
        }
        site.act("POST", "/api/v1/accounts/" + bob.id() + "/follow", ada);
        site.act("POST", "/api/v1/accounts/" + cleo.id() + "/follow", ada);
        site.act("POST", "/api/v1/accounts/" + cleo.id() + "/follow", bob);
        site.act("POST", "/api/v1/follow_requests/" + ada.id() + "/authorize", cleo);
        site.act("POST", "/api/v1/accounts/" + dan.id() + "/mute", bob);
        site.act("POST", "/api/v1/accounts/" + cleo.id() + "/block", dan);
        site.act("POST", "/api/v1/accounts/" + ada.id() + "/note", bob, "comment=met in London");
        site.act("POST", "/api/v1/tags/" + tag + "/follow", bob);

        for (int i = 0; i < OLD_POSTS; i++) {
            site.act("POST", "/api/v1/statuses", ada, "status=note " + i + " about #" + tag);
        }
        pictures(site, ada, bob);
        conversation(site, ada, bob, cleo);
        articles(site, ada, bob, dan);
        listsAndFilters(site, ada, bob);
        return List.of(ada, bob, cleo, dan);
    }

    private static void pictures(Site site, Account ada, Account bob) throws Exception {
        String picture = site.upload(ada, "a drawing of an engine");
        String shown = site.status(ada, "status=the engine", "media_ids[]=" + picture);
        site.act("POST", "/api/v1/statuses/" + shown + "/favourite", bob);
        site.act("POST", "/api/v1/statuses/" + shown + "/bookmark", bob);
        site.act("POST", "/api/v1/statuses/" + shown + "/reblog", bob);
        site.act("POST", "/api/v1/statuses/" + shown + "/pin", ada);
    }

    /** Replies, a poll with votes, an edit, a deletion, a quote, a direct message, a scheduled post. */
    private static void conversation(Site site, Account ada, Account bob, Account cleo) throws Exception {
        JsonObject question = site.post(
                "/api/v1/statuses",
                ada,
                "status=which one?",
                "poll[options][]=difference",
                "poll[options][]=analytical",
                "poll[expires_in]=2629746");
        String poll = question.getJsonObject("poll").getString("id");
        site.act("POST", "/api/v1/polls/" + poll + "/votes", bob, "choices[]=1");
        site.act("POST", "/api/v1/polls/" + poll + "/votes", cleo, "choices[]=0");
        String reply = site.status(
                bob, "status=" + ada.mention() + " the analytical one", "in_reply_to_id=" + question.getString("id"));
        site.act("POST", "/api/v1/statuses/" + reply + "/favourite", ada);
        String further =
                site.status(cleo, "status=" + bob.mention() + " why?", "in_reply_to_id=" + reply, "visibility=private");
        site.act("POST", "/api/v1/statuses", ada, "status=as it says", "quoted_status_id=" + reply);
        String edited = site.status(bob, "status=befor the edit", "spoiler_text=a warning");
        site.act("PUT", "/api/v1/statuses/" + edited, bob, "status=after the edit", "spoiler_text=a warning");
        String deleted = site.status(bob, "status=regretted");
        site.act("POST", "/api/v1/statuses/" + deleted + "/favourite", ada);
        site.act("DELETE", "/api/v1/statuses/" + deleted, bob);
        String direct = site.status(ada, "status=" + bob.mention() + " for you alone", "visibility=direct");
        site.act(
                "POST",
                "/api/v1/statuses",
                bob,
                "status=" + ada.mention() + " thank you",
                "visibility=direct",
                "in_reply_to_id=" + direct);
        site.act("POST", "/api/v1/statuses", ada, "status=much later", "scheduled_at=2100-01-02T00:00:00.000Z");
        site.act("POST", "/api/v1/statuses/" + further + "/bookmark", ada);
        site.act("POST", "/api/v1/markers", ada, "home[last_read_id]=" + reply);
    }

    private static void articles(Site site, Account ada, Account bob, Account dan) throws Exception {
        String first = site.post("/api/v1/articles", ada, "title=On engines", "url=https://example.org/engines")
                .getString("id");
        String second = site.post("/api/v1/articles", bob, "title=On cards", "url=https://example.org/cards")
                .getString("id");
        site.act("POST", "/api/v1/articles/" + first + "/vote", bob);
        site.act("POST", "/api/v1/articles/" + first + "/vote", dan);
        site.act("POST", "/api/v1/articles/" + second + "/vote", ada);
        site.act("PUT", "/api/v1/articles/" + first + "/groups/engines", ada);
    }

    private static void listsAndFilters(Site site, Account ada, Account bob) throws Exception {
        String list = site.post("/api/v1/lists", bob, "title=Engineers").getString("id");
        site.act("POST", "/api/v1/lists/" + list + "/accounts", bob, "account_ids[]=" + ada.id());
        site.act(
                "POST",
                "/api/v2/filters",
                bob,
                "title=No cards",
                "context[]=home",
                "filter_action=warn",
                "keywords_attributes[][keyword]=cards");
    }

    private static Account signUp(String url, String name) throws Exception {
        Site site = new Site(url);
        Account nobody = new Account("", "", "");
        JsonObject app = site.post(
                "/api/v1/apps",
                nobody,
                "client_name=fixture",
                "redirect_uris=urn:ietf:wg:oauth:2.0:oob",
                "scopes=read write follow");
        JsonObject ofApp = site.post(
                "/oauth/token",
                nobody,
                "grant_type=client_credentials",
                "client_id=" + app.getString("client_id"),
                "client_secret=" + app.getString("client_secret"),
                "scope=read write follow");
        JsonObject token = site.post(
                "/api/v1/accounts",
                new Account("", "", ofApp.getString("access_token")),
                "username=" + name,
                "email=" + name + "@example.org",
                "password=" + PASSWORD,
                "agreement=true",
                "locale=en");
        Account account = new Account(name, "", token.getString("access_token"));
        String id = ((JsonObject) site.get("/api/v1/accounts/verify_credentials", account)).getString("id");
        return new Account(name, id, account.token());
    }

    /** The REST API at one address. */
    record Site(String url) {
        Object get(String path, Account who) throws Exception {
            return json(exchange(request(path, who).GET().build()));
        }

        /** A request whose answer does not matter, as long as it is a success. */
        void act(String method, String path, Account who, String... form) throws Exception {
            Object unused = send(method, path, who, form);
        }

        JsonObject post(String path, Account who, String... form) throws Exception {
            return (JsonObject) send("POST", path, who, form);
        }

        String status(Account who, String... form) throws Exception {
            return post("/api/v1/statuses", who, form).getString("id");
        }

        Object send(String method, String path, Account who, String... form) throws Exception {
            String body = Stream.of(form)
                    .map(field -> field.split("=", 2))
                    .map(pair -> encoded(pair[0]) + "=" + encoded(pair[1]))
                    .collect(Collectors.joining("&"));
            return json(exchange(request(path, who)
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .method(method, HttpRequest.BodyPublishers.ofString(body))
                    .build()));
        }

        private String upload(Account who, String description) throws Exception {
            String boundary = "fixture-boundary";
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            body.writeBytes(utf8("--" + boundary + "\r\nContent-Disposition: form-data; name=\"description\"\r\n\r\n"
                    + description + "\r\n--" + boundary
                    + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"engine.png\"\r\n"
                    + "Content-Type: image/png\r\n\r\n"));
            body.writeBytes(drawing());
            body.writeBytes(utf8("\r\n--" + boundary + "--\r\n"));
            HttpRequest request = request("/api/v2/media", who)
                    .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(body.toByteArray()))
                    .build();
            return ((JsonObject) json(exchange(request))).getString("id");
        }

        /** The digest of a file that the site serves. */
        private String digest(String fileUrl) throws Exception {
            HttpRequest request = request(URI.create(fileUrl).getPath(), new Account("", "", ""))
                    .GET()
                    .build();
            HttpResponse<byte[]> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray());
            require(answer.statusCode() == 200, answer.statusCode() + " for " + fileUrl);
            return sha256(answer.body());
        }

        private HttpRequest.Builder request(String path, Account who) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(30));
            return who.token().isEmpty() ? request : request.header("Authorization", "Bearer " + who.token());
        }

        private static String exchange(HttpRequest request) throws Exception {
            HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            require(
                    answer.statusCode() / 100 == 2,
                    request.method() + " " + request.uri() + ": " + answer.statusCode() + " " + answer.body());
            return answer.body();
        }

        private static Object json(String text) {
            return text.startsWith("[")
                    ? new JsonArray(text)
                    : text.isEmpty() ? new JsonObject() : new JsonObject(text);
        }
    }

    private static byte[] drawing() throws IOException {
        BufferedImage image = new BufferedImage(120, 80, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(Color.ORANGE);
        graphics.fillOval(10, 10, 60, 60);
        graphics.dispose();
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        require(ImageIO.write(image, "png", png), "this JDK writes no PNG");
        return png.toByteArray();
    }

    // ---- the view ----

    /**
     * All that the accounts see, in a form that does not depend on the address of the site or on the time: what ends by
     * the clock (polls, votes on articles) is left out.
     */
    static JsonObject view(String url, List<Account> accounts) throws Exception {
        Site site = new Site(url);
        JsonObject view = new JsonObject();
        for (Account account : accounts) {
            view.put(account.name(), viewOf(site, account, accounts));
        }
        return view;
    }

    private static JsonObject viewOf(Site site, Account who, List<Account> accounts) throws Exception {
        JsonObject me = (JsonObject) site.get("/api/v1/accounts/verify_credentials", who);
        String ids = accounts.stream().map(other -> "id[]=" + other.id()).collect(Collectors.joining("&"));
        JsonObject view = new JsonObject()
                .put("account", picked(me, "id", "username", "display_name", "note", "locked", "created_at"))
                .put("counts", picked(me, "followers_count", "following_count", "statuses_count"))
                .put("home", ids(site, "/api/v1/timelines/home", who))
                .put("profiles", profiles(site, who, accounts))
                .put("notifications", notifications(site, who))
                .put("relationships", relationships(site, who, ids))
                .put("favourites", ids(site, "/api/v1/favourites", who))
                .put("bookmarks", ids(site, "/api/v1/bookmarks", who))
                .put("requests", names((JsonArray) site.get("/api/v1/follow_requests", who)))
                .put("public", ids(site, "/api/v1/timelines/public", who))
                .put("tag", ids(site, "/api/v1/timelines/tag/engines", who))
                .put("articles", ids(site, "/api/v1/articles", who))
                .put("best", ids(site, "/api/v1/articles/best", who))
                .put("group", ids(site, "/api/v1/groups/engines/articles", who))
                .put("lists", lists(site, who))
                .put("markers", ((JsonObject) site.get("/api/v1/markers?timeline[]=home", who)).encode());
        view.put("filters", filters((JsonArray) site.get("/api/v2/filters", who)));
        view.put(
                "tags",
                new JsonArray(each((JsonArray) site.get("/api/v1/followed_tags", who))
                        .map(tag -> tag.getString("name"))
                        .toList()));
        view.put(
                "scheduled",
                new JsonArray(each((JsonArray) site.get("/api/v1/scheduled_statuses", who))
                        .map(later -> later.getString("scheduled_at") + " "
                                + later.getJsonObject("params").getString("text"))
                        .toList()));
        view.put(
                "conversations",
                new JsonArray(each((JsonArray) site.get("/api/v1/conversations", who))
                        .map(talk -> names(talk.getJsonArray("accounts")).encode() + " "
                                + talk.getJsonObject("last_status").getString("id"))
                        .toList()));
        return view;
    }

    private static JsonObject profiles(Site site, Account who, List<Account> accounts) throws Exception {
        JsonObject profiles = new JsonObject();
        for (Account other : accounts) {
            JsonArray statuses = new JsonArray();
            // A blocked account has no profile for the other side.
            for (JsonObject status : pages(site, "/api/v1/accounts/" + other.id() + "/statuses", who)) {
                statuses.add(status(site, status));
            }
            profiles.put(other.name(), statuses);
        }
        return profiles;
    }

    private static JsonObject status(Site site, JsonObject status) throws Exception {
        JsonObject view = picked(
                status,
                "id",
                "created_at",
                "edited_at",
                "visibility",
                "spoiler_text",
                "language",
                "in_reply_to_id",
                "replies_count",
                "reblogs_count",
                "favourites_count",
                "favourited",
                "bookmarked",
                "reblogged",
                "pinned");
        view.put("text", text(status.getString("content")));
        view.put(
                "tags",
                new JsonArray(each(status.getJsonArray("tags"))
                        .map(tag -> tag.getString("name"))
                        .toList()));
        JsonObject original = status.getJsonObject("reblog");
        if (original != null) {
            view.put("reblog", original.getString("id"));
        }
        JsonObject quote = status.getJsonObject("quote");
        if (quote != null && quote.getJsonObject("quoted_status") != null) {
            view.put("quote", quote.getJsonObject("quoted_status").getString("id"));
        }
        JsonObject poll = status.getJsonObject("poll");
        if (poll != null) {
            view.put("poll", picked(poll, "id", "votes_count", "voters_count", "voted", "own_votes"));
            view.put(
                    "options",
                    new JsonArray(each(poll.getJsonArray("options"))
                            .map(option -> option.getString("title") + " " + option.getInteger("votes_count"))
                            .toList()));
        }
        JsonObject article = status.getJsonObject("article");
        if (article != null) {
            view.put("article", picked(article, "title", "votes", "score", "groups"));
        }
        JsonArray media = new JsonArray();
        for (JsonObject file : each(status.getJsonArray("media_attachments")).toList()) {
            media.add(picked(file, "id", "type", "description", "blurhash")
                    .put("sha256", site.digest(file.getString("url"))));
        }
        return media.isEmpty() ? view : view.put("media", media);
    }

    /** Without the address of a quoted status, which clients that know quotes do not show. */
    private static String text(String html) {
        return html.replaceAll("<p class=\"quote-inline\">.*?</p>", "").replaceAll("<[^>]*>", "");
    }

    /** Without those of ended polls, which come by the clock. */
    private static JsonArray notifications(Site site, Account who) throws Exception {
        JsonArray all = new JsonArray();
        for (JsonObject one : pages(site, "/api/v1/notifications", who)) {
            if (!one.getString("type").equals("poll")) {
                JsonObject status = one.getJsonObject("status");
                all.add(picked(one, "id", "type", "created_at")
                        .put("account", one.getJsonObject("account").getString("username"))
                        .put("status", status == null ? null : status.getString("id")));
            }
        }
        return all;
    }

    private static JsonArray relationships(Site site, Account who, String ids) throws Exception {
        return new JsonArray(each((JsonArray) site.get("/api/v1/accounts/relationships?" + ids, who))
                .map(relation ->
                        picked(relation, "id", "following", "followed_by", "requested", "blocking", "muting", "note"))
                .toList());
    }

    private static JsonArray lists(Site site, Account who) throws Exception {
        JsonArray lists = new JsonArray();
        for (JsonObject list : each((JsonArray) site.get("/api/v1/lists", who)).toList()) {
            String id = list.getString("id");
            lists.add(picked(list, "id", "title")
                    .put("accounts", names((JsonArray) site.get("/api/v1/lists/" + id + "/accounts", who)))
                    .put("timeline", ids(site, "/api/v1/timelines/list/" + id, who)));
        }
        return lists;
    }

    private static JsonArray filters(JsonArray filters) {
        return new JsonArray(each(filters)
                .map(filter -> picked(filter, "id", "title", "context", "filter_action")
                        .put(
                                "keywords",
                                new JsonArray(each(filter.getJsonArray("keywords"))
                                        .map(keyword -> keyword.getString("keyword"))
                                        .toList())))
                .toList());
    }

    static JsonArray ids(Site site, String path, Account who) throws Exception {
        return new JsonArray(pages(site, path, who).stream()
                .map(entry -> entry.getString("id"))
                .toList());
    }

    /** A whole list. Lists by a rank have one page here; the others go on below the last id. */
    private static List<JsonObject> pages(Site site, String path, Account who) throws Exception {
        List<JsonObject> all = new ArrayList<>();
        String next = "";
        while (true) {
            List<JsonObject> page = each((JsonArray) site.get(path + "?limit=" + PAGE + next, who))
                    .toList();
            all.addAll(page);
            if (page.size() < PAGE) {
                return all;
            }
            next = "&max_id=" + page.get(page.size() - 1).getString("id");
        }
    }

    private static JsonArray names(JsonArray accounts) {
        return new JsonArray(
                each(accounts).map(account -> account.getString("username")).toList());
    }

    private static Stream<JsonObject> each(JsonArray objects) {
        return objects.stream().map(JsonObject.class::cast);
    }

    private static JsonObject picked(JsonObject from, String... fields) {
        JsonObject picked = new JsonObject();
        for (String field : fields) {
            picked.put(field, from.getValue(field));
        }
        return picked;
    }

    // ---- the program of the release ----

    private record Program(Path jar, Path dir) {
        String version() throws Exception {
            String first = run("--version").lines().findFirst().orElse("");
            String version = first.replaceFirst("^\\D*", "").replaceFirst("[ -].*", "");
            require(version.matches("\\d+\\.\\d+\\.\\d+"), "--version prints no version: " + first);
            return version;
        }

        Process start(Path data) throws IOException {
            List<String> line = new ArrayList<>(List.of("up", "--port", "0", "--data", data.toString()));
            SETTINGS.forEach(setting -> line.addAll(List.of("--set", setting)));
            return process(line, dir.resolve("up.log"));
        }

        String awaitUrl(Process up) throws IOException {
            Path log = dir.resolve("up.log");
            await("a start", () -> !up.isAlive() || read(log).contains("Fanfare is ready"));
            require(up.isAlive(), "the service did not start:\n" + read(log));
            return read(log).replaceFirst("(?s).*Fanfare is ready[^\\n]*?: (http\\S+).*", "$1");
        }

        /** Until no job waits, and the old posts are in the archive. */
        void awaitIdle(Path data) {
            await("an idle queue", () -> {
                String[] command = {"admin", "queue", "stats", "--json", "--data", data.toString()};
                String text = runUnchecked(command);
                JsonObject queue = new JsonObject(text.substring(text.indexOf('{')));
                return queue.getLong("done").equals(queue.getLong("enqueued"));
            });
            await("an archive", () -> runUnchecked("admin", "archive", "stats", "--data", data.toString())
                    .matches("(?s).*live +[1-9].*due +0 .*"));
        }

        private String runUnchecked(String... command) {
            try {
                return run(command);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        String run(String... command) throws Exception {
            Path log = Files.createTempFile(dir, command[0], ".log");
            Process process = process(List.of(command), log);
            require(process.waitFor(WAIT_MAX.toSeconds(), TimeUnit.SECONDS), command[0] + " does not end");
            require(process.exitValue() == 0, String.join(" ", command) + ":\n" + read(log));
            return read(log);
        }

        private Process process(List<String> command, Path log) throws IOException {
            List<String> line = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-jar",
                    jar.toString()));
            line.addAll(command);
            ProcessBuilder builder =
                    new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("FANFARE_"));
            return builder.start();
        }
    }

    // ---- files ----

    /** Leaves out the files that a start makes for itself. */
    private static boolean isData(String name) {
        return !name.startsWith("native/")
                && !name.equals("lock")
                && !name.equals("redis/ballast")
                && !name.endsWith(".log")
                && !name.endsWith(".pid")
                && !name.endsWith(".sock");
    }

    private static void pack(Path zip, Path data, Path backup) throws IOException {
        Map<String, Path> files = new TreeMap<>();
        for (Path file : regularFiles(data)) {
            String name = data.relativize(file).toString();
            if (isData(name)) {
                files.put(DATA + name, file);
            }
        }
        files.put(BACKUP, backup);
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (Map.Entry<String, Path> file : files.entrySet()) {
                ZipEntry entry = new ZipEntry(file.getKey());
                entry.setLastModifiedTime(FileTime.fromMillis(0));
                out.putNextEntry(entry);
                Files.copy(file.getValue(), out);
            }
        }
    }

    /** Writes the files of the zip into a folder, readable for their owner alone. */
    static void unpack(Path zip, Path folder) throws IOException {
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                Path file = folder.resolve(entry.getName()).normalize();
                require(file.startsWith(folder), entry.getName() + " is no name of a fixture");
                Files.createDirectories(file.getParent());
                Files.write(Files.createFile(file, OWNER_ONLY), in.readAllBytes());
            }
        }
    }

    /** The digest of each file of a folder, by its name. */
    static Map<String, String> digests(Path folder) throws IOException {
        Map<String, String> digests = new TreeMap<>();
        for (Path file : regularFiles(folder)) {
            try (InputStream in = Files.newInputStream(file)) {
                digests.put(folder.relativize(file).toString(), sha256(in.readAllBytes()));
            }
        }
        return digests;
    }

    private static List<Path> regularFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static void await(String what, BooleanSupplier condition) {
        long until = System.nanoTime() + WAIT_MAX.toNanos();
        while (!condition.getAsBoolean()) {
            require(System.nanoTime() < until, what + " has not come within " + WAIT_MAX.toSeconds() + " s");
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
