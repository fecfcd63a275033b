import type { MailScheme } from './mail-scheme.rules.ts';
import { Segments } from './segments.tsx';

const labels = { desktop: 'Desktop', phone: 'Phone', text: 'Text' } as const;
export type MailMode = keyof typeof labels;

interface MailControlsProps<Mode extends MailMode> {
  device: Mode;
  devices: readonly Mode[];
  onDevice: (device: Mode) => void;
  scheme: MailScheme;
  onScheme: (scheme: MailScheme) => void;
}

/** What an email is shown for. */
export const MailControls = <Mode extends MailMode>(props: MailControlsProps<Mode>) => (
  <>
    <Segments
      label="Shown for"
      options={props.devices.map((value) => ({ value, label: labels[value] }))}
      value={props.device}
      onChange={props.onDevice}
    />
    <Segments
      label="Colours"
      options={[
        { value: 'light', label: 'Light', icon: 'sun' },
        { value: 'dark', label: 'Dark', icon: 'moon' },
      ]}
      value={props.scheme}
      onChange={props.onScheme}
      disabled={props.device === 'text'}
    />
  </>
);
