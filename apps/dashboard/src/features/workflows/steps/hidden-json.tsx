interface HiddenJsonProps<Value> {
  name: string;
  value: Value;
  /** Takes the value of a restored draft. */
  onRestore: (value: Value) => void;
}

/** A value of a form that no single control has, as JSON. Restoring a draft fills it in like a field, which a hidden input would not allow. */
export const HiddenJson = <Value,>({ name, value, onRestore }: HiddenJsonProps<Value>) => (
  <input
    hidden
    aria-hidden
    tabIndex={-1}
    name={name}
    value={JSON.stringify(value)}
    onChange={({ target }) => onRestore(JSON.parse(target.value) as Value)}
  />
);
