import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { useField } from '../../../ui/field.tsx';
import { MediaPicker } from '../../common/media/media-picker.tsx';
import styles from './logo-field.module.css';

interface LogoFieldProps {
  name: string;
  value: string | null;
  onChange: (value: string | null) => void;
  disabled: boolean;
}

/** The logo: an uploaded image, or the address of one. */
export function LogoField({ name, value, onChange, disabled }: LogoFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const { control, frame } = useField({
    name,
    label: 'Logo',
    hint: 'Choose an image, or enter the address of one.',
  });
  return frame(
    <div className={styles.logo}>
      <input
        {...control}
        type="url"
        placeholder="https://"
        maxLength={2000}
        disabled={disabled}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value.trim() === '' ? null : target.value)}
      />
      <Button icon="image" disabled={disabled} onClick={() => setOpen(true)}>
        Choose image
      </Button>
      {isOpen && (
        <MediaPicker
          action="Use as logo"
          withAlt={false}
          onPick={({ url }) => {
            onChange(url);
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>,
  );
}
