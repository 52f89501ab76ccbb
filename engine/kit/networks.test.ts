import { describe, expect, it } from 'vitest';
import { networkOf } from './networks.ts';

describe('whom an address stands for', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    // A socket for both kinds names everybody's old address like this: they are not one network.
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.8', '192.0.2.8'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::ffff', '2001:db8:1:2'],
    ['2001:db8::7', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0'],
  ])('%s: %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });
});
