import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressProblem, editAddress, hostUrls, Servers } from './addresses.ts';

const SEVERAL = 'postgres://me:pass@h1:5432,h2,[::1]:5434/seats?target_session_attrs=read-write';

describe('an address of a database', () => {
  it.each([
    'postgres://db/seats',
    'postgresql://me:pass@db:6432/seats?sslmode=require',
    'postgres:///seats?host=%2Frun%2Fpostgresql',
    'postgres://h1,h2/seats',
    'postgres://me:p%40@h1:1,h2:2/seats?target_session_attrs=primary',
    SEVERAL,
  ])('may be %s', (text) => {
    expect(addressProblem(text)).toBeNull();
  });

  it.each([
    ['mysql://db/seats', /^is not an address of the form postgres:/],
    ['h1:5432,h2:5432', /^is not an address/],
    ['postgres://h1:x/seats', /^has a host that is neither/],
    ['postgres://h1:5432,h2:x/seats', /^has a host \(number 2\) that is neither/],
    ['postgres://h1,,h2/seats', /^has a host \(number 2\)/],
    ['postgres://h1,h2:/seats', /^has a host \(number 2\)/],
    ['postgres://h1,h2:0/seats', /^has a host \(number 2\)/],
    ['postgres://h1,h2:65536/seats', /^has a host \(number 2\)/],
    ['postgres://h1,h2/seats?host=h3', /^names hosts twice/],
    ['postgres://h1,h2/seats?port=1', /^names hosts twice/],
    ['postgres://db/seats?host=h1,h2', /^has several hosts in host=/],
    ['postgres://h1,h2/seats?target_session_attrs=any', /^has a target_session_attrs that is not/],
    ['postgres://h1,h2/seats?target_session_attrs=standby', /that is not read-write/],
    [`postgres://${Array.from({ length: 9 }, (_, n) => `h${n}`).join()}/x`, /more than 8 hosts/],
  ])('is refused with a sentence: %s', (text, sentence) => {
    expect(addressProblem(text)).toMatch(sentence);
  });

  it('is never repeated by the sentence, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (one, other) => {
        const password = `canary-${one}`;
        const said = addressProblem(`postgres://me:${password}@${other},x:y/z`) ?? '';
        expect(said).not.toContain('canary');
      }),
    );
  });

  it('becomes one address for each host, without what is ours alone', () => {
    expect(hostUrls(SEVERAL)).toEqual([
      'postgres://me:pass@h1:5432/seats',
      'postgres://me:pass@h2/seats',
      'postgres://me:pass@[::1]:5434/seats',
    ]);
    expect(hostUrls('postgres://db/seats?a=b')).toEqual(['postgres://db/seats?a=b']);
  });

  it('is changed for all hosts at once', () => {
    const changed = editAddress(SEVERAL, (url) => {
      url.username = 'voelgoed_app';
      url.password = 'p@ss';
    });
    const rest = 'h1:5432,h2,[::1]:5434/seats?target_session_attrs=read-write';
    expect(changed).toBe(`postgres://voelgoed_app:p%40ss@${rest}`);
  });
});

describe('the servers of an address', () => {
  it('are tried one after the other, and passing over one twice changes nothing', () => {
    const servers = new Servers(3);
    servers.passOver(0);
    servers.passOver(0);
    expect(servers.current).toBe(1);
    servers.passOver(1);
    servers.passOver(2);
    expect(servers.current).toBe(0);
  });

  it('are left once, however many connections find out', () => {
    const servers = new Servers(1);
    servers.leave(0);
    servers.leave(0);
    expect(servers.generation).toBe(1);
  });
});
