import styles from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';
import { ScrollText } from './scroll-text.tsx';

/** @param shown what is displayed when it differs from what is copied, for example with a masked key */
export function CodeBlock({ title, code, shown = code }: { title: string; code: string; shown?: string }) {
  return (
    <figure className={styles.block}>
      <figcaption className={styles.head}>
        {title}
        <CopyButton text={code} label={title} />
      </figcaption>
      <ScrollText label={title}>
        <code>{shown}</code>
      </ScrollText>
    </figure>
  );
}
