/**
 * The generator: configs of common venues from a few numbers. This room knows the spec (rows,
 * curves, bowls, tables, areas), the presets, how shapes are drawn and how rows and seats are named
 * in them. It must not know policies' permissions, stored layouts or plans of others: what it draws
 * is a config like any other and is judged as one. The workshop and tools call it.
 */
export { generateLayout } from './generate-layout.ts';
