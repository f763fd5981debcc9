package dev.perdure.crash.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PoolMapTest {
  private final PoolMap map = new PoolMap();

  @Test
  void shouldTranslateAddressesOfMappedPoolsOnly() {
    map.map(0x1000, 0x2000, 1, 0x5000);
    assertThat(map.poolAddress(0x1000)).isEqualTo(PoolAddress.of(1, 0x5000));
    assertThat(map.poolAddress(0x2fff)).isEqualTo(PoolAddress.of(1, 0x6fff));
    assertThat(map.poolAddress(0xfff)).isEqualTo(PoolAddress.NONE);
    assertThat(map.poolAddress(0x3000)).isEqualTo(PoolAddress.NONE);
  }

  @Test
  void shouldKeepWhatANewMappingLeavesOfAnOldOne() {
    map.map(0x1000, 0x3000, 0, 0);
    map.map(0x2000, 0x1000, 1, 0);
    assertThat(map.poolAddress(0x1800)).isEqualTo(PoolAddress.of(0, 0x800));
    assertThat(map.poolAddress(0x2800)).isEqualTo(PoolAddress.of(1, 0x800));
    assertThat(map.poolAddress(0x3800)).isEqualTo(PoolAddress.of(0, 0x2800));
  }
}
