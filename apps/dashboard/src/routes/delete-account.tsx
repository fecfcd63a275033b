import { useSearchParams } from 'react-router';
import { DeleteAccountForm } from '../features/people/account/delete-account-form.tsx';
import { paths } from '../lib/paths.ts';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';

/** Opened from the link in an email, by people whose account has no password. */
export function Component() {
  const [search] = useSearchParams();
  return (
    <Page title="Delete account" back={{ to: paths.account, label: 'Back to your account' }} narrow>
      <Panel title="Delete your account">
        <DeleteAccountForm token={search.get('token')} />
      </Panel>
    </Page>
  );
}
