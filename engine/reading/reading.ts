/**
 * Reading: from JSON that nobody has checked to typed values, with a list of everything that is
 * wrong. This room knows how a problem is told (where, which rule, a sentence), how the fields of
 * an object are read and which texts and notes can be stored. It must not know what the fields
 * mean: a room that has rules of its own adds its own codes. Every room after it may call it.
 */
export { FieldReader, type Need, type Place, placeAt, recordOf } from './field-reader.ts';
export { METADATA_LIMITS, type Metadata } from './metadata.ts';
export {
  fieldPath,
  type Invalid,
  MOST_PROBLEMS,
  type Problem,
  ProblemList,
  READING_CODES,
} from './problems.ts';
export { repeatedKey } from './repeated-keys.ts';
export { isGoodText, isTooDeep, JSON_DEPTH, textProblem } from './texts.ts';
