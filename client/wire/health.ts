import { Type } from 'typebox';

/** A part that a node does not have is absent; it is never reported as "ok". */
export const Health = Type.Object(
  {
    data: Type.Object({
      status: Type.Union([Type.Literal('live'), Type.Literal('ready')]),
      parts: Type.Record(Type.String(), Type.String(), {
        description: 'State of each part that exists: "ok", or what is wrong with it',
      }),
    }),
  },
  { $id: 'Health' },
);
