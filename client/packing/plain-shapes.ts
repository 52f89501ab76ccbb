import * as wire from '#wire';

type Schema = Readonly<{
  type?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  patternProperties?: Readonly<Record<string, Schema>>;
}>;

const SCHEMAS = wire as unknown as Readonly<Record<string, Schema>>;

/** The types of `shapes.ts` in full, with what the schemas say about each field. */
export function plainShapes(source: string): string {
  const names = [...source.matchAll(/^export type (\w+) = Static<typeof wire\.\1>;$/gm)].map(
    ([, name = '']) => name,
  );
  const known = new Map(names.map((name) => [textOf(SCHEMAS[name] ?? {}), name]));
  const codes = Object.keys(wire.ERRORS).map((code) => JSON.stringify(code));
  return source
    .replace(/^import type .*\n/gm, '')
    .replace(
      "export type { ErrorCode } from '#wire';",
      `export type ErrorCode = ${unionOf(codes)};`,
    )
    .replace(
      /^export type \* from '\.\/drawings\.ts';/m,
      (line) => `import type { LayoutConfig } from './drawings.js';\n${line.replace('.ts', '.js')}`,
    )
    .replace(/^export type (\w+) = Static<typeof wire\.\1>;$/gm, (_, name: string) => {
      const schema = SCHEMAS[name];
      if (!schema) throw new Error(`no schema is called ${name}`);
      return `${commentOf(schema, '')}export type ${name} = ${typeOf(schema, known, '', name)};`;
    });
}

function textOf(schema: Schema): string {
  return JSON.stringify(schema);
}

function typeOf(schema: Schema, known: Map<string, string>, indent: string, own = ''): string {
  const name = schema.properties && known.get(textOf(schema));
  if (name && name !== own) return name;
  if (schema.enum) return unionOf(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return unionOf(schema.anyOf.map((one) => typeOf(one, known, indent)));
  switch (schema.type) {
    case 'array':
      return `Array<${typeOf(schema.items ?? {}, known, indent)}>`;
    case 'object':
      return objectOf(schema, known, indent);
    case 'integer':
      return 'number';
    case undefined:
      return 'unknown';
    default:
      return schema.type;
  }
}

function objectOf(schema: Schema, known: Map<string, string>, indent: string): string {
  const { properties, required = [], patternProperties } = schema;
  if (!properties) {
    const [value = {}] = Object.values(patternProperties ?? {});
    return `Record<string, ${typeOf(value, known, indent)}>`;
  }
  const deeper = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${commentOf(field, deeper)}${deeper}${name}${mark}: ${typeOf(field, known, deeper)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

function commentOf({ description }: Schema, indent: string): string {
  return description ? `${indent}/** ${description.replaceAll('*/', '* /')} */\n` : '';
}

function unionOf(types: readonly string[]): string {
  return types.join(' | ');
}
