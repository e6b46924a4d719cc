package io.fanfare.stream.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The places in boxes: edges belong to them, the antimeridian can be crossed and has two names, a pole has all
 * longitudes.
 */
class BoxTest {
    @ParameterizedTest(name = "{0} holds {1}, {2}: {3}")
    @CsvSource({
        "'0,0,1,1',0,0,true",
        "'0,0,1,1',1,1,true",
        "'0,0,1,1',1,0,true",
        "'0,0,1,1',1.0001,0,false",
        "'0,0,1,1',0.5,-0.0001,false",
        "'179,-1,-179,1',179.9,0,true",
        "'179,-1,-179,1',-179.9,0,true",
        "'179,-1,-179,1',0,0,false",
        "'179,-1,180,1',-180,0,true",
        "'-180,-1,-179,1',180,0,true",
        "'-180,-90,180,90',12,90,true",
        "'10,80,20,90',15,90,true",
        "'10,80,20,90',-100,90,true",
        "'10,80,20,90',-100,89.9,false",
        "'170,-90,-170,-80',0,-90,true",
        "'170,-90,-170,-80',0,90,false",
        "'-122.75,36.8,-121.75,37.8',-122.4,37.7,true",
    })
    void holds(String box, double longitude, double latitude, boolean inside) {
        assertThat(Box.parse(box, 25).get(0).contains(longitude, latitude)).isEqualTo(inside);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1,2,3",
                "1,2,3,4,5",
                "0,0,1,NaN",
                "0,0,1,Infinity",
                "0,1,1,0",
                "-181,0,1,1",
                "0,0,1,91",
                "0,0,1,x",
                "0,0,1,1f",
                "0,0,1,1d",
                "0,0,1,0x1p0",
                "0,0,,1"
            })
    void impossibleBoxesAreRefused(String boxes) {
        assertThatThrownBy(() -> Box.parse(boxes, 25))
                .isInstanceOfSatisfying(
                        InvalidFilter.class, bad -> assertThat(bad.status()).isEqualTo(406));
    }

    @Test
    void numbersMayBeWrittenAsJsonWritesThem() {
        assertThat(Box.parse("-1.5e-7,-.5, 1.,+1E1", 25)).containsExactly(new Box(-1.5e-7, -0.5, 1, 10));
    }

    @Test
    void severalBoxesFollowEachOther() {
        assertThat(Box.parse("0,0,1,1, 5,5,6,6", 25)).hasSize(2);
        assertThat(Box.parse("", 25)).isEmpty();
    }
}
