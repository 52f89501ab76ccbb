import type { FailureCode } from '@voelgoed/client/client';

export type ErrorWords = Readonly<Record<FailureCode, string>>;
