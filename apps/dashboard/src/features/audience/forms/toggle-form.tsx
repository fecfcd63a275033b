import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type SignUpForm, useApi } from '../../../lib/api.ts';
import { useProject, useProjectPath } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { FailureNotice, Notice } from '../../../ui/notice.tsx';
import { useRefreshForms } from './use-refresh-forms.ts';

/** Turns a form on and off. Without somebody who asks for confirmations it says where to set that. */
export function ToggleForm({ form: { id, enabled } }: { form: SignUpForm }) {
  const announce = useAnnounce();
  const refresh = useRefreshForms();
  const to = useProjectPath();
  const { consent } = useProject();
  const update = useMutation({
    ...useApi().forms.update.mutationOptions(),
    async onSuccess(saved) {
      await refresh();
      announce(saved.enabled ? 'The form takes sign-ups' : 'The form is off');
    },
  });
  if (!enabled && consent.confirmation === null) {
    return (
      <Notice tone="warn" title="Nobody asks for confirmations yet">
        <p>
          Sign-ups are confirmed by email. <Link to={to('consent')}>Choose who sends it</Link>, and turn the
          form on.
        </p>
      </Notice>
    );
  }
  return (
    <>
      {update.error && <FailureNotice failure={failureOf(update.error)} />}
      {!enabled && (
        <Notice tone="warn" title="This form is off">
          <p>Its page says that it takes no sign-ups.</p>
        </Notice>
      )}
      <div>
        <Button
          kind={enabled ? 'plain' : 'primary'}
          pending={update.isPending}
          onClick={() => update.mutate({ id, enabled: !enabled })}
        >
          {enabled ? 'Turn off' : 'Turn on'}
        </Button>
      </div>
    </>
  );
}
