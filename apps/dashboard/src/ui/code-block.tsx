import type { ReactNode } from 'react';
import styles from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';
import { ScrollText } from './scroll-text.tsx';

interface CodeBlockProps {
  title: string;
  code: string;
  /** What is displayed when it differs from what is copied, for example with a masked key. */
  shown?: string;
  /** Controls beside the title. */
  choice?: ReactNode;
}

export function CodeBlock({ title, code, shown = code, choice }: CodeBlockProps) {
  return (
    <figure className={styles.block}>
      <figcaption className={styles.head}>
        {title}
        {choice}
        <CopyButton text={code} label={title} />
      </figcaption>
      <ScrollText label={title}>
        <code>{shown}</code>
      </ScrollText>
    </figure>
  );
}
