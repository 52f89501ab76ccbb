import { describe, expect, it } from 'vitest';
import { networkOf, networksOf } from './networks.ts';

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

describe('the networks around an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', null, '192.0.2/24'],
    ['::ffff:192.0.2.7', '192.0.2.7', null, '192.0.2/24'],
    ['2001:db8:1:abcd::1', '2001:db8:1:abcd', '2001:db8:1:ab/56', '2001:db8:1/48'],
    ['2001:db8:1:abff::1', '2001:db8:1:abff', '2001:db8:1:ab/56', '2001:db8:1/48'],
    ['2001:db8:1:ac00::1', '2001:db8:1:ac00', '2001:db8:1:ac/56', '2001:db8:1/48'],
    ['2001:db8:1:7::1', '2001:db8:1:7', '2001:db8:1:0/56', '2001:db8:1/48'],
    ['::1', '0:0:0:0', '0:0:0:0/56', '0:0:0/48'],
    ['', '', null, '/24'],
  ])('%s', (ip, address, site, network) => {
    expect(networksOf(ip)).toEqual({ address, site, network });
  });
});
