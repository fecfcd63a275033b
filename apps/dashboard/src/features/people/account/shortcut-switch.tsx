import { useShortcutPreference } from '../../../lib/shortcut-preference.ts';
import { CheckField } from '../../../ui/field.tsx';

/** Switches the shortcuts of single keys off and on, at once. */
export function ShortcutSwitch() {
  const [isOn, setOn] = useShortcutPreference();
  return (
    <CheckField
      name="shortcuts"
      label="Single keys are shortcuts"
      hint="Press ? on a page of a project for the list. Switch them off if you speak to your computer or use keys of an assistive technology. This applies to this browser."
      defaultChecked={isOn}
      onChange={setOn}
    />
  );
}
