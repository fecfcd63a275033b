import { cardRadiusLimits, type DesignSettings } from '@postrider/core/content/templates/contract';
import { brandFontStacks } from '@postrider/core/people/projects/contract';
import { keysOf } from '../../../lib/keys-of.ts';
import { Select } from '../../../ui/select.tsx';
import styles from './inspector.module.css';
import { ColorControl, NumberControl } from './inspector-controls.tsx';

interface SettingsPanelProps {
  settings: DesignSettings;
  onChange: (change: Partial<DesignSettings>) => void;
}

const colors = {
  background: 'Background',
  card: 'Card',
  text: 'Text',
  primary: 'Buttons and links',
} as const;

/** The fonts of the brand. A stack that another program has written stays until one of these is chosen. */
const fonts = keysOf(brandFontStacks).map((name) => ({
  value: brandFontStacks[name] as string,
  label: name === 'SYSTEM' ? 'System' : `${name.slice(0, 1)}${name.slice(1).toLowerCase()}`,
}));

/** What applies to the whole email. */
export const SettingsPanel = ({ settings, onChange }: SettingsPanelProps) => (
  <section className={styles.section} aria-label="Whole email">
    <h3 className={styles.title}>Whole email</h3>
    <div className={styles.control}>
      <span>Font</span>
      <Select
        small
        aria-label="Font"
        value={settings.font}
        options={
          fonts.some(({ value }) => value === settings.font)
            ? fonts
            : [{ value: settings.font, label: 'Other' }, ...fonts]
        }
        onChange={(font) => onChange({ font })}
      />
    </div>
    {keysOf(colors).map((key) => (
      <ColorControl
        key={key}
        label={colors[key]}
        value={settings[key]}
        onChange={(value) => onChange({ [key]: value })}
      />
    ))}
    <NumberControl
      label="Corners"
      limits={cardRadiusLimits}
      value={settings.radius}
      onChange={(radius) => onChange({ radius })}
    />
  </section>
);
