import type { LayoutConfig } from '@voelgoed/client/client';
import { fileOf } from './read-plan.ts';

/** Gives a version's config to the browser as a file. */
export function saveFile(config: LayoutConfig, of: { name: string; version: number }): void {
  const file = new Blob([fileOf(config)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `${of.name}-${of.version}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
