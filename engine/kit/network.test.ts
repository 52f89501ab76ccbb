import { describe, expect, it } from 'vitest';
import { networkOf } from './network.ts';

describe('one customer of a provider', () => {
  it.each([
    ['an address', '192.0.2.7', '192.0.2.7'],
    ['the same through a socket for both families', '::ffff:192.0.2.7', '192.0.2.7'],
    ['in capital letters', '::FFFF:192.0.2.7', '192.0.2.7'],
    ['and in figures', '::ffff:c000:207', '192.0.2.7'],
    ['a network', '2001:db8:0:1::5', '2001:db8:0:1'],
    ['written out', '2001:0DB8:0000:0001:0:0:0:9', '2001:db8:0:1'],
    ['in short', '2001:db8::9', '2001:db8:0:0'],
  ])('%s', (_, ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });
});
