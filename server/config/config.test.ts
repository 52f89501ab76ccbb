import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Config, readConfig, VARIABLES } from './config.ts';

const SECRET = 'x'.repeat(32);

function configOf(environment: Record<string, string>): Config {
  const result = readConfig(environment);
  if (result.kind === 'problems') throw new Error(result.problems.join('\n'));
  return result.config;
}

function problemsOf(environment: Record<string, string>): readonly string[] {
  const result = readConfig(environment);
  return result.kind === 'problems' ? result.problems : [];
}

describe('configuration', () => {
  it('needs nothing: everything has a default', () => {
    expect(configOf({})).toMatchObject({
      host: '127.0.0.1',
      port: 4_000,
      portIsFixed: false,
      dataDir: './.data',
      databaseUrl: null,
      redisUrl: null,
      demo: true,
      logLevel: 'warn',
    });
  });

  it('tells an empty REDIS_URL (none) from an absent one (whatever is on PATH)', () => {
    expect(configOf({ REDIS_URL: '' }).redisUrl).toBe('');
    expect(configOf({}).redisUrl).toBeNull();
    expect(configOf({ REDIS_URL: 'rediss://cache:6380' }).redisUrl).toBe('rediss://cache:6380');
    expect(configOf({ REDIS_URL: '/run/redis.sock' }).redisUrl).toBe('/run/redis.sock');
    expect(configOf({ REDIS_URL: 'redis://a:1,b:2' }).redisUrl).toBe('redis://a:1,b:2');
  });

  it('switches the demo off in production', () => {
    expect(configOf({ NODE_ENV: 'production' }).demo).toBe(false);
    expect(configOf({ NODE_ENV: 'production', DEMO: '1' }).demo).toBe(true);
  });

  it.each([
    [{ PORT: 'http' }, /^PORT: "http" is not a whole number from 0 to 65535/],
    [{ PORT: '65536' }, /^PORT/],
    [{ PORT: '' }, /^PORT/],
    [{ HOST: ' ' }, /^HOST: must not be empty/],
    [{ DATABASE_URL: 'mysql://x', AUTH_SECRET: SECRET }, /^DATABASE_URL: is not an address/],
    [{ DATABASE_URL: 'postgres://db/x' }, /^AUTH_SECRET: is required with DATABASE_URL/],
    [{ AUTH_SECRET: 'short' }, /^AUTH_SECRET: needs at least 32 characters/],
    [{ PLATFORM_SECRET: 'short' }, /^PLATFORM_SECRET/],
    [{ PAYMENT_PROVIDERS: 'The Bank' }, /^PAYMENT_PROVIDERS: must be names/],
    [{ PAYMENT_PROVIDERS: 'bank,platform' }, /^PAYMENT_PROVIDERS: cannot name platform/],
    [{ PAYMENT_WEBHOOK_SECRET: 'short' }, /^PAYMENT_WEBHOOK_SECRET/],
    [{ REDIS_URL: 'http://x' }, /^REDIS_URL/],
    [{ REDIS_URL: 'redis://a:1,b:x' }, /^REDIS_URL/],
    [{ REDIS_PROBE_SECONDS: '0' }, /^REDIS_PROBE_SECONDS/],
    [{ DEMO: 'maybe' }, /^DEMO: "maybe" is neither 1 nor 0/],
    [{ HOST: '0.0.0.0' }, /^HOST: 0.0.0.0 would open the demo/],
    [{ DEMO_HOLD_TTL_SECONDS: '0' }, /^DEMO_HOLD_TTL_SECONDS/],
    [{ DEMO: '0', DEMO_HOLD_TTL_SECONDS: '5' }, /^DEMO_HOLD_TTL_SECONDS: is only for demo mode/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: "loud" is not one of/],
    [{ NODE_ENV: 'prod' }, /^NODE_ENV: "prod" is not production/],
    [{ TRUSTED_PROXIES: '10.0.0.0/8, garbage' }, /^TRUSTED_PROXIES: "garbage" is not/],
    [{ CORS_ORIGINS: 'https://shop.example/path' }, /^CORS_ORIGINS: /],
  ])('refuses %o with one sentence that names the variable', (environment, sentence) => {
    const problems = problemsOf(environment as Record<string, string>);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(sentence);
  });

  it('reports every problem at once', () => {
    expect(problemsOf({ PORT: 'x', DEMO: 'x', LOG_LEVEL: 'x' })).toHaveLength(3);
  });

  it('opens the demo to the network only when told so', () => {
    expect(configOf({ HOST: '0.0.0.0', DEMO: '1' }).demo).toBe(true);
    expect(configOf({ HOST: '0.0.0.0', DEMO: '0' }).demo).toBe(false);
  });

  it('never repeats a secret or an address with a password', () => {
    const names = ['AUTH_SECRET', 'PLATFORM_SECRET', 'PAYMENT_WEBHOOK_SECRET', 'DATABASE_URL'];
    const canary = fc.string({ maxLength: 20 }).map((text) => `${text}canary`);
    fc.assert(
      fc.property(fc.constantFrom(...names), canary, (name, text) => {
        expect(problemsOf({ [name]: text }).join()).not.toContain(text.trim());
      }),
    );
  });

  it('is documented: every variable with the same sentence', () => {
    const guide = readFileSync(new URL('../../docs/operate.md', import.meta.url), 'utf8');
    for (const [name, sentence] of Object.entries(VARIABLES)) {
      expect(guide).toContain(`| \`${name}\` | ${sentence} |`);
    }
  });
});
