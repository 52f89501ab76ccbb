import type { TestProject } from 'vitest/node';
import { startTestServices } from './test-services.ts';

/** Vitest calls this once around all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...services } = await startTestServices();
  project.provide('services', services);
  return stop;
}
