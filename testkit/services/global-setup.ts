import type { TestProject } from 'vitest/node';
import { startTestServices, type TestServices } from './test-services.ts';

/** The suite hands its services over; without a suite (an editor that runs one test) own ones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.VOELGOED_TEST_SERVICES;
  if (given) {
    project.provide('services', JSON.parse(given) as TestServices);
    return async () => {};
  }
  const { stop, ...services } = await startTestServices();
  project.provide('services', services);
  return stop;
}
