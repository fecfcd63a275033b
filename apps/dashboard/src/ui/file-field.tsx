import { type DragEvent, useRef, useState } from 'react';
import { formatBytes } from '../lib/format.ts';
import { type FieldProps, useField } from './field.tsx';
import styles from './file-field.module.css';
import { Icon } from './icon.tsx';

interface FileFieldProps extends FieldProps {
  /** As the attribute of a file input: `.csv,text/csv`. */
  accept: string;
  required?: boolean;
  /** The file that was chosen before, where the field is shown again. */
  chosen?: File | null;
  onFile: (file: File | null) => void;
}

/** A file, chosen or dropped. */
export function FileField({ accept, required, chosen = null, onFile, ...field }: FileFieldProps) {
  const { control, frame } = useField(field);
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(chosen);
  const [isOver, setOver] = useState(false);
  const choose = (next: File | null) => {
    setFile(next);
    onFile(next);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (input.current === null || event.dataTransfer.files.length === 0) return;
    input.current.files = event.dataTransfer.files;
    choose(event.dataTransfer.files[0] ?? null);
  };
  return frame(
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the input inside does the same by keyboard
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="upload" size={20} />
      <span className={styles.text}>
        {file ? (
          <>
            <strong>{file.name}</strong> {formatBytes(file.size)}
          </>
        ) : (
          <>
            <strong>Choose a file</strong> or drop it here
          </>
        )}
      </span>
      <input
        {...control}
        ref={input}
        type="file"
        className={styles.input}
        accept={accept}
        required={required}
        onChange={({ target }) => choose(target.files?.[0] ?? null)}
      />
    </div>,
  );
}
