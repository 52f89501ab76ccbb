/** How one variable's text becomes a value; the problem completes the sentence "NAME: …". */
export type Setting<Value> = Readonly<{
  fallback: Value;
  parse(text: string): { kind: 'value'; value: Value } | { kind: 'problem'; problem: string };
}>;

export function parseInteger<Value extends number | null = number>(range: {
  from: number;
  to: number;
  fallback: Value;
}): Setting<number | Value> {
  return {
    fallback: range.fallback,
    parse: (text) => {
      const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
      if (value >= range.from && value <= range.to) return { kind: 'value', value };
      const problem = `"${text}" is not a whole number from ${range.from} to ${range.to}`;
      return { kind: 'problem', problem };
    },
  };
}

export function parseFlag(fallback: boolean): Setting<boolean> {
  return {
    fallback,
    parse: (text) => {
      if (['1', 'true', 'on'].includes(text)) return { kind: 'value', value: true };
      if (['0', 'false', 'off'].includes(text)) return { kind: 'value', value: false };
      return { kind: 'problem', problem: `"${text}" is neither 1 nor 0` };
    },
  };
}

/** The value may hold a password, so the sentence never repeats it. */
export function parseUrl(schemes: readonly string[], fallback: null): Setting<string | null> {
  return {
    fallback,
    parse: (text) => {
      const url = URL.canParse(text) ? new URL(text) : null;
      if (url && schemes.includes(url.protocol)) return { kind: 'value', value: text };
      const forms = schemes.map((scheme) => `${scheme}//…`).join(' or ');
      return { kind: 'problem', problem: `is not an address of the form ${forms}` };
    },
  };
}

/** One URL, or several addresses of which only the first needs a scheme. */
export function parseAddresses(schemes: readonly string[]): Setting<string | null> {
  const { parse } = parseUrl(schemes, null);
  return {
    fallback: null,
    parse: (text) => {
      const [first = '', ...others] = text.split(',').map((part) => part.trim());
      const scheme = first.split('://')[0];
      const wrong = others.find((other) => {
        const url = other.includes('://') ? other : `${scheme}://${other}`;
        return parse(url).kind === 'problem' || other === '';
      });
      if (wrong !== undefined) return { kind: 'problem', problem: 'has an address that is none' };
      const one = parse(first);
      return one.kind === 'value' ? { kind: 'value', value: text } : one;
    },
  };
}

export function parseList(fallback: readonly string[]): Setting<readonly string[]> {
  return {
    fallback,
    parse: (text) => ({
      kind: 'value',
      value: text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    }),
  };
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
