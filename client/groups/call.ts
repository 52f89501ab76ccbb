import type { AnswerOf, InputOf, Route } from '#routes';
import type { CallOptions } from '#transport';

/** Makes one call of a route. */
export type Call = <Name extends Route>(
  route: Name,
  input: InputOf<Name>,
  options?: CallOptions,
) => Promise<AnswerOf<Name>>;

export type Options = CallOptions;
