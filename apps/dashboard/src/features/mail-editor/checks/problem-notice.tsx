import { plural } from '../../../lib/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { problemsOf } from './finding.rules.ts';
import { type CheckedContent, useMailChecks } from './use-mail-checks.ts';

/** With more problems, the rest is in the editor. */
const named = 3;

/** The problems of an email that is about to go out, in the dialog that asks for it. It prevents nothing. */
export function ProblemNotice({ content }: { content: CheckedContent }) {
  const problems = problemsOf(useMailChecks(content, null));
  if (problems.length === 0) return null;
  return (
    <Notice tone="warn" title={`The checks found ${plural(problems.length, 'problem')}`}>
      {problems.slice(0, named).map(({ field, offset, text }) => (
        <p key={`${field} ${offset} ${text}`}>{text}</p>
      ))}
      {problems.length > named && <p>The editor lists all of them.</p>}
    </Notice>
  );
}
