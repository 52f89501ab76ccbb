/**
 * Configuration: the one place where settings get their meaning. It turns the environment's texts
 * into a checked, frozen record, or into a list of sentences that each name the variable that is
 * wrong. It is pure: reading the environment is up to `processes`, which is its only caller.
 */
import { isIP } from 'node:net';
import { UNNAMED_PROVIDER } from '@voelgoed/engine/checkouts';
import { addressProblem } from '@voelgoed/engine/postgres';
import {
  isLoopback,
  parseAddresses,
  parseFlag,
  parseInteger,
  parseList,
  parseUrl,
  type Setting,
} from './parse.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Config = Readonly<{
  production: boolean;
  host: string;
  port: number;
  /** PORT was said explicitly: then another port will not do. */
  portIsFixed: boolean;
  dataDir: string;
  /** Null: the embedded Postgres in the data folder. */
  databaseUrl: string | null;
  /** No connection to Postgres is used for longer. */
  connectionSeconds: number;
  /** Null: a private Redis if the machine has one. Empty: none at all. */
  redisUrl: string | null;
  /** Between two questions whether a Redis that failed is back. */
  redisProbeSeconds: number;
  /** Null: generated into the data folder. */
  authSecret: string | null;
  paymentWebhookSecret: string | null;
  /** Where buyers pay; null: the platform shows its own page. */
  payUrl: string | null;
  /** Whom buyers may pay with, the default first; empty: one provider without a name. */
  paymentProviders: readonly string[];
  /** Null: the platform routes are closed. */
  platformSecret: string | null;
  demo: boolean;
  /** Slug of the organization whose events the web app lists first; null: none is listed. */
  shopOrganization: string | null;
  demoHoldTtlSeconds: number | null;
  guestSessionsPerHour: number;
  /** 0: as many as anybody likes. */
  checkoutIntervalSeconds: number;
  streamsPerAddress: number;
  trustedProxies: readonly string[];
  corsOrigins: readonly string[];
  allowInternalAddresses: boolean;
  /** Off only to see what happens without: more is let in than can be answered. */
  shedsLoad: boolean;
  logLevel: LogLevel;
  /** Where traces go; null: there are none. */
  tracesUrl: string | null;
  /** The percentage of requests that are traced when nobody else has decided. */
  tracesPercent: number;
}>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Shorter secrets can be guessed; 32 characters of base64 are 192 bits. */
const SECRET_CHARACTERS = 32;

/** Every variable with the sentence that the documentation shows; a test compares the two. */
export const VARIABLES = {
  PORT: 'Port to serve on. Default 4000; if that is taken and PORT is not set, the next free one.',
  HOST: 'Address to listen on. Default 127.0.0.1.',
  DATA_DIR: 'Folder of the embedded services and generated secrets. Default ./.data.',
  DATABASE_URL:
    'Owner connection to Postgres 15 or newer; several hosts separated by commas are tried until ' +
    'one accepts writes. Default: an embedded Postgres.',
  DATABASE_CONNECTION_SECONDS:
    'Longest use of one connection to Postgres, 10 to 86400 seconds. Default 600.',
  REDIS_URL:
    'Redis 7 or Valkey; several addresses separated by commas are a cluster. ' +
    'Default: a private one if found on PATH. Empty: none.',
  REDIS_PROBE_SECONDS: 'Pause between probes of a Redis that failed, 1 to 600. Default 30.',
  AUTH_SECRET:
    'Signs tokens, QR codes and webhooks, 32 characters or more. ' +
    'Required with DATABASE_URL, else generated.',
  PAYMENT_WEBHOOK_SECRET: 'Signs payment messages, 32 characters or more.',
  PAY_URL: 'Page where buyers pay; {attempt_id} in it stands for the attempt. Default: none.',
  PAYMENT_PROVIDERS:
    'Names of the providers that buyers may pay with, separated by commas, the default first. ' +
    'Default: one without a name.',
  PLATFORM_SECRET: 'Opens /api/platform, 32 characters or more. Unset: those routes are closed.',
  DEMO: 'Demo data and demo routes, 1 or 0. Default 1, and 0 with NODE_ENV=production.',
  DEMO_HOLD_TTL_SECONDS: 'Hold time in demo mode, 1 to 3600 seconds. Default: the policy decides.',
  SHOP_ORGANIZATION:
    'Slug of the organization whose events the web app lists. Default: demo in demo mode.',
  GUEST_SESSIONS_PER_HOUR: 'Guest sessions per hour and address, 1 to 1000000. Default 20.',
  CHECKOUT_INTERVAL_SECONDS:
    'Seconds between two new checkouts of a user in an event, 0 to 3600; 0: no limit. Default 5.',
  STREAMS_PER_ADDRESS: 'Open streams per address and node, 1 to 100000. Default 200.',
  TRUSTED_PROXIES: 'Addresses or networks, separated by commas, whose X-Forwarded-For counts.',
  CORS_ORIGINS: 'Origins whose pages may call the API, separated by commas, or *. Default: none.',
  ALLOW_INTERNAL_ADDRESSES:
    'Tenants may name addresses in our own network (issuers, webhooks), 1 or 0. Default 0.',
  SHED_LOAD: 'Turn requests away early when more come than can be answered, 1 or 0. Default 1.',
  LOG_LEVEL: 'fatal, error, warn, info, debug, trace or silent. Default warn, in production info.',
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'Collector that traces are sent to, OTLP as JSON over HTTP. Default: none, no traces.',
  TRACES_PERCENT:
    'Requests that are traced when the caller has not decided, 0 to 100 percent. Default 1.',
  NODE_ENV: 'Set to production to switch the demo off and log at level info.',
} as const;

export type ConfigResult =
  | { kind: 'config'; config: Config }
  | { kind: 'problems'; problems: readonly string[] };

export function readConfig(environment: Environment): ConfigResult {
  const problems: string[] = [];
  const text = (name: keyof typeof VARIABLES) => environment[name];
  const read = <Value>(name: keyof typeof VARIABLES, setting: Setting<Value>): Value => {
    const given = text(name);
    if (given === undefined) return setting.fallback;
    const result = setting.parse(given.trim());
    if (result.kind === 'value') return result.value;
    problems.push(`${name}: ${result.problem}`);
    return setting.fallback;
  };
  const production = read('NODE_ENV', environmentName) === 'production';
  const demo = read('DEMO', parseFlag(!production));
  const config: Config = {
    production,
    host: read('HOST', notEmpty('127.0.0.1')),
    port: read('PORT', parseInteger({ from: 0, to: 65_535, fallback: 4_000 })),
    portIsFixed: text('PORT') !== undefined,
    dataDir: read('DATA_DIR', notEmpty('./.data')),
    databaseUrl: read('DATABASE_URL', databaseUrl),
    connectionSeconds: read(
      'DATABASE_CONNECTION_SECONDS',
      parseInteger({ from: 10, to: 86_400, fallback: 600 }),
    ),
    redisUrl: text('REDIS_URL')?.trim() === '' ? '' : read('REDIS_URL', redisUrl),
    redisProbeSeconds: read(
      'REDIS_PROBE_SECONDS',
      parseInteger({ from: 1, to: 600, fallback: 30 }),
    ),
    authSecret: read('AUTH_SECRET', secret),
    paymentWebhookSecret: read('PAYMENT_WEBHOOK_SECRET', secret),
    payUrl: read('PAY_URL', payUrl),
    paymentProviders: read('PAYMENT_PROVIDERS', providerList),
    platformSecret: read('PLATFORM_SECRET', secret),
    demo,
    shopOrganization: read('SHOP_ORGANIZATION', slug(demo ? 'demo' : null)),
    demoHoldTtlSeconds: read(
      'DEMO_HOLD_TTL_SECONDS',
      parseInteger<number | null>({ from: 1, to: 3_600, fallback: null }),
    ),
    guestSessionsPerHour: read(
      'GUEST_SESSIONS_PER_HOUR',
      parseInteger({ from: 1, to: 1_000_000, fallback: 20 }),
    ),
    checkoutIntervalSeconds: read(
      'CHECKOUT_INTERVAL_SECONDS',
      parseInteger({ from: 0, to: 3_600, fallback: 5 }),
    ),
    streamsPerAddress: read(
      'STREAMS_PER_ADDRESS',
      parseInteger({ from: 1, to: 100_000, fallback: 200 }),
    ),
    trustedProxies: read('TRUSTED_PROXIES', addressList),
    corsOrigins: read('CORS_ORIGINS', originList),
    allowInternalAddresses: read('ALLOW_INTERNAL_ADDRESSES', parseFlag(false)),
    tracesUrl: read('OTEL_EXPORTER_OTLP_ENDPOINT', parseUrl(['http:', 'https:'], null)),
    tracesPercent: read('TRACES_PERCENT', parseInteger({ from: 0, to: 100, fallback: 1 })),
    shedsLoad: read('SHED_LOAD', parseFlag(true)),
    logLevel: read('LOG_LEVEL', oneOfLevels(production ? 'info' : 'warn')),
  };
  problems.push(...contradictions(config, text('DEMO') !== undefined));
  if (problems.length > 0) return { kind: 'problems', problems };
  return { kind: 'config', config: Object.freeze(config) };
}

/** Settings that are fine alone and dangerous together. */
function contradictions(config: Config, demoSaid: boolean): string[] {
  const problems: string[] = [];
  if (config.databaseUrl !== null && config.authSecret === null) {
    problems.push('AUTH_SECRET: is required with DATABASE_URL, the same on every node');
  }
  if (config.demo && !demoSaid && !isLoopback(config.host)) {
    problems.push(
      `HOST: ${config.host} would open the demo, where anybody may take any role, ` +
        'to the network; set DEMO=0, or DEMO=1 if you mean it',
    );
  }
  if (config.demoHoldTtlSeconds !== null && !config.demo) {
    problems.push('DEMO_HOLD_TTL_SECONDS: is only for demo mode; a policy sets the hold time');
  }
  return problems;
}

function notEmpty(fallback: string): Setting<string> {
  return {
    fallback,
    parse: (given) =>
      given ? { kind: 'value', value: given } : { kind: 'problem', problem: 'must not be empty' },
  };
}

function slug(fallback: string | null): Setting<string | null> {
  return {
    fallback,
    parse: (given) =>
      /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(given)
        ? { kind: 'value', value: given }
        : { kind: 'problem', problem: 'must be a slug: small letters, digits and dashes' },
  };
}

const databaseUrl: Setting<string | null> = {
  fallback: null,
  parse: (given) => {
    const problem = addressProblem(given);
    return problem === null ? { kind: 'value', value: given } : { kind: 'problem', problem };
  },
};

/** As they stand in the path of their messages. */
const providerList: Setting<readonly string[]> = {
  fallback: [],
  parse: (given) => {
    const names = given.split(',').map((name) => name.trim());
    if (!names.every((name) => /^[a-z0-9_-]{1,40}$/.test(name))) {
      return { kind: 'problem', problem: 'must be names of small letters, digits, - and _' };
    }
    return names.includes(UNNAMED_PROVIDER)
      ? { kind: 'problem', problem: `cannot name ${UNNAMED_PROVIDER}, which is no provider` }
      : { kind: 'value', value: [...new Set(names)] };
  },
};

const payUrl: Setting<string | null> = {
  fallback: null,
  parse: (given) =>
    /^https?:\/\//.test(given) && given.includes('{attempt_id}')
      ? { kind: 'value', value: given }
      : { kind: 'problem', problem: 'must be an http address with {attempt_id} in it' },
};

const secret: Setting<string | null> = {
  fallback: null,
  parse: (given) =>
    given.length >= SECRET_CHARACTERS
      ? { kind: 'value', value: given }
      : { kind: 'problem', problem: `needs at least ${SECRET_CHARACTERS} characters` },
};

/** A path is a unix socket, which Redis on the same machine may listen on. */
const redisUrl: Setting<string | null> = {
  fallback: null,
  parse: (given) =>
    given.startsWith('/')
      ? { kind: 'value', value: given }
      : parseAddresses(['redis:', 'rediss:']).parse(given),
};

/** Anything else is a typing error, and a typing error must not open the demo. */
const environmentName: Setting<string> = {
  fallback: '',
  parse: (given) =>
    ['', 'production', 'development', 'test'].includes(given)
      ? { kind: 'value', value: given }
      : { kind: 'problem', problem: `"${given}" is not production, development or test` },
};

/** Single addresses, or networks such as 10.0.0.0/8. */
const addressList: Setting<readonly string[]> = {
  fallback: [],
  parse: (given) => {
    const list = parseList([]).parse(given);
    if (list.kind === 'problem') return list;
    const wrong = list.value.find(
      (one) => !/^[0-9a-f.:]+(\/\d{1,3})?$/i.test(one) || !isIP(one.split('/')[0] ?? ''),
    );
    if (wrong === undefined) return list;
    return { kind: 'problem', problem: `"${wrong}" is not an address or network` };
  },
};

/** An origin has a scheme and a host and nothing behind it; browsers send it exactly so. */
const originList: Setting<readonly string[]> = {
  fallback: [],
  parse: (given) => {
    const list = parseList([]).parse(given);
    if (list.kind === 'problem') return list;
    const wrong = list.value.find((one) => one !== '*' && !isOrigin(one));
    if (wrong === undefined) return list;
    return { kind: 'problem', problem: `"${wrong}" is not an origin such as https://shop.example` };
  },
};

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function oneOfLevels(fallback: LogLevel): Setting<LogLevel> {
  return {
    fallback,
    parse: (given) => {
      const level = LOG_LEVELS.find((known) => known === given);
      if (level) return { kind: 'value', value: level };
      return { kind: 'problem', problem: `"${given}" is not one of ${LOG_LEVELS.join(', ')}` };
    },
  };
}
