import { Link } from 'react-router';
import { useProjectPath } from '../../../lib/current.ts';
import { plural } from '../../../lib/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { type Finding, pageOf, problemsOf, withRuled } from './finding.rules.ts';
import { type CheckedContent, useMailChecks } from './use-mail-checks.ts';

/** With more problems, the rest is in the editor. */
const named = 3;

interface ProblemNoticeProps {
  content: CheckedContent;
  /** what the API has found by the rules of the checks before sending */
  ruled: readonly Finding[];
}

/** The problems of an email that is about to go out, in the dialog that asks for it. */
export function ProblemNotice({ content, ruled }: ProblemNoticeProps) {
  const to = useProjectPath();
  const own = useMailChecks(content, { isCampaign: true, rendered: null });
  // What a person is asked about comes first, and is never among the rest.
  const problems = problemsOf(withRuled(own, ruled));
  const most = Math.max(named, problems.filter(({ severity }) => severity === 'error').length);
  if (problems.length === 0) return null;
  return (
    <Notice tone="warn" title={`The checks found ${plural(problems.length, 'problem')}`}>
      {problems.slice(0, most).map((finding) => {
        const { field, offset, text } = finding;
        const place = pageOf(finding);
        return (
          <p key={`${field} ${offset} ${text}`}>
            {text} {place && <Link to={to(place.page)}>{place.label}</Link>}
          </p>
        );
      })}
      {problems.length > most && <p>The editor lists all of them.</p>}
    </Notice>
  );
}
