import type { Template, TemplateVersion } from '../../../lib/api.ts';
import { authorInWords } from '../../../lib/author-in-words.rules.ts';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { picturedText } from '../../../ui/mail-picture.rules.ts';
import { Moment } from '../../../ui/time.tsx';
import styles from './version.module.css';

/** Author, time and the lines of the inbox, with those of the present content where they differ. */
export const VersionFacts = ({ version, template }: { version: TemplateVersion; template: Template }) => (
  <Facts>
    <Fact name="Saved">
      <Moment at={version.createdAt} />
    </Fact>
    <Fact name="Saved by">{authorInWords(version)}</Fact>
    <Line name="Subject" then={version.subject} now={template.subject} />
    {(version.preheader ?? template.preheader) !== null && (
      <Line name="Preheader" then={version.preheader ?? 'None'} now={template.preheader ?? 'None'} />
    )}
    {(version.text ?? template.text) !== null && (
      <Line
        name="Plain text"
        then={version.text ?? 'Made from the HTML'}
        now={template.text ?? 'Made from the HTML'}
      />
    )}
  </Facts>
);

function Line({ name, then, now }: { name: string; then: string; now: string }) {
  // As a reader sees it, unless the two differ in their variables alone.
  const [before, after] = [picturedText(then), picturedText(now)];
  const isSame = before === after;
  return (
    <Fact name={name}>
      {isSame ? then : before}
      {now !== then && <span className={styles.now}>Now: {isSame ? now : after}</span>}
    </Fact>
  );
}
