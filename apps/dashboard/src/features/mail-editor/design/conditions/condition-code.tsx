import { isTest } from '@postrider/core/content/templates/contract';
import { useState } from 'react';
import { CodeControl } from '../inspector-controls.tsx';

interface ConditionCodeProps {
  label: string;
  test: string;
  onChange: (test: string) => void;
}

/** The test as Liquid. What is no condition is not stored, because the email could not be rendered. */
export function ConditionCode({ label, test, onChange }: ConditionCodeProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? test;
  const isWrong = shown.trim() !== '' && !isTest(shown);
  return (
    <CodeControl
      label={label}
      rows={3}
      placeholder={'plan == "pro" and seats > 3'}
      value={shown}
      failure={
        isWrong ? 'This is no condition. Compare a field with a value, such as plan == "pro"' : undefined
      }
      onChange={(next) => {
        setTyped(next);
        if (next.trim() === '' || isTest(next)) onChange(next);
      }}
    />
  );
}
