/**
 * An input with every one of its fields, so that a field that is forgotten where the record is written or read is a type error.
 *
 * @template Absent what stands for a field that was not given: null in a record to be stored, undefined in a request
 */
export type Whole<Input, Absent = null> = {
  // Not `-?` on the fields of the input itself, which would take `undefined` away as well.
  [Field in keyof Required<Input>]:
    | Exclude<Input[Field], undefined>
    | (MayLack<Input, Field> extends true ? Absent : never);
};

type MayLack<Input, Field extends keyof Input> =
  Partial<Pick<Input, Field>> extends Pick<Input, Field>
    ? true
    : undefined extends Input[Field]
      ? true
      : false;
