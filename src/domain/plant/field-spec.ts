/** The kinds of entries of `plantFields`. */
export type FieldSpec = NameSpec | TextSpec | ChoiceSpec | NumberSpec | RangeSpec | FlagSpec;

interface CommonSpec {
  /** The step of the form that contains its input; null without an input. */
  step: 'basics' | 'care' | 'smart' | null;
  /** Its name in the list of changes. */
  words: string;
  /** Description in the API document. */
  note?: string;
  /**
   * The version that added the field; set for every field that 0.1 did not have. Requests of older apps do not contain it,
   * so the server accepts requests without it.
   */
  since?: string;
}

/** Maximum length of a required text, in characters. */
export const maxNameLength = 200;

/** A required short text. */
interface NameSpec extends CommonSpec {
  type: 'name';
  /** Error message when it is missing. */
  missing: string;
}

/** An optional text; null when it is empty. */
interface TextSpec extends CommonSpec {
  type: 'text';
  maxLength: number;
  /** An identifier: the server trims it. Other optional texts are trimmed only by the form. */
  isId?: true;
}

interface ChoiceSpec extends CommonSpec {
  type: 'choice';
  choices: readonly string[];
  default: string;
}

interface NumberSpec extends CommonSpec {
  type: 'number';
  /** Error message when the value is missing, not a number or too small. Absent for an optional field. */
  required?: string;
  /** The value that the server stores for null. Absent for a field that is required or may be null. */
  nullMeans?: number;
  /** What the server accepts. `above`: only for a required number; the value must be greater. */
  limits: { above?: number; min?: number; max: number };
  /** Bounds of the form's input. */
  input?: Bounds;
  formDefault: number | null;
  /** Displayed when a record has no value or 0. */
  viewDefault?: number;
  /** 'days' or a symbol, in the list of changes. */
  unit?: string;
}

/** Two numbers, `<name>_min` and `<name>_max` on the wire. Each may be null; the minimum must be the lower one. */
interface RangeSpec extends Omit<CommonSpec, 'note'> {
  type: 'range';
  limits: { min: number; max: number };
  inputs?: { min?: Bounds; max?: Bounds };
  formDefault: { min: number; max: number };
  viewDefault: { min: number; max: number };
  /** The symbol of the unit, e.g. '%', in the API document and in the list of changes. */
  unit: string;
  /** Added to the unit in the API document. */
  notes?: { min: string; max: string };
}

interface FlagSpec extends CommonSpec {
  type: 'flag';
  /** Its value in a new plant, and the one that the server stores for null. */
  default: boolean;
}

export interface Bounds {
  min?: number;
  max?: number;
}
