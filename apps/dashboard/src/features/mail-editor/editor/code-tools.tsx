import { useState } from 'react';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { codeNamed } from '../../../ui/code-handles.ts';
import { InsertTools } from '../blocks/insert-tools.tsx';
import styles from './code-tools.module.css';
import { formatHtml } from './format-html.ts';

/** What can be done with the code of an email besides typing. */
export const CodeTools = ({ field }: { field: string }) => (
  <div className={styles.tools}>
    <InsertTools field={field} />
    <FormatCode field={field} />
  </div>
);

function FormatCode({ field }: { field: string }) {
  const announce = useAnnounce();
  const [isPending, setPending] = useState(false);
  const format = async () => {
    const before = codeNamed(field)?.text();
    if (before === undefined) return;
    setPending(true);
    const result = await formatHtml(before);
    setPending(false);
    const code = codeNamed(field);
    if (code === null || code.text() !== before) return;
    if ('problem' in result)
      announce(`Not formatted, because the email could change: ${result.problem}`, 'note');
    else if (result.html.trimEnd() === before.trimEnd()) announce('Already formatted', 'note');
    else {
      code.replace({ start: 0, end: before.length }, result.html);
      code.jumpTo({ line: 1, column: 1 });
      announce('Formatted');
    }
  };
  return (
    <Button small kind="quiet" pending={isPending} onClick={() => void format()}>
      Format
    </Button>
  );
}
