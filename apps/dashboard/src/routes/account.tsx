import { ChangePasswordForm } from '../features/people/account/change-password-form.tsx';
import { DeleteAccount } from '../features/people/account/delete-account.tsx';
import { LanguageForm } from '../features/people/account/language-form.tsx';
import { SecondFactor } from '../features/people/account/second-factor.tsx';
import { SessionList } from '../features/people/account/session-list.tsx';
import { ShortcutSwitch } from '../features/people/account/shortcut-switch.tsx';
import { useUser } from '../lib/current.ts';
import { paths } from '../lib/paths.ts';
import { shownAddress } from '../lib/shown-address.rules.ts';
import { useConfiguration } from '../lib/use-configuration.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Moment } from '../ui/time.tsx';

const signInWays = {
  PASSWORD: 'Password',
  GITHUB_OAUTH: 'GitHub',
  GOOGLE_OAUTH: 'Google',
  OIDC: 'Single sign-on',
};

export function Component() {
  const user = useUser();
  return (
    <Page title="Account" back={{ to: paths.home, label: 'Back to your projects' }} narrow>
      <Panel title="Profile">
        <Facts>
          <Fact name="Email">{shownAddress(user.email)}</Fact>
          <Fact name="Verified">
            <Verified isVerified={user.emailVerified} />
          </Fact>
          <Fact name="Sign-in method">{signInWays[user.type]}</Fact>
          <Fact name="Member since">
            <Moment at={user.createdAt} />
          </Fact>
        </Facts>
      </Panel>
      <Panel title="Language">
        <LanguageForm />
      </Panel>
      <Panel title="Keyboard shortcuts">
        <ShortcutSwitch />
      </Panel>
      <Panel title="Password">
        {user.hasPassword ? (
          <ChangePasswordForm />
        ) : (
          <Notice
            tone="busy"
            title={`You sign in with ${signInWays[user.type]}, so this account has no password.`}
          />
        )}
      </Panel>
      <Panel title="Two-step login">
        <SecondFactor />
      </Panel>
      <Panel title="Where you're signed in">
        <SessionList />
      </Panel>
      <Panel title="Delete account">
        <DeleteAccount />
      </Panel>
    </Page>
  );
}

/** Some installations do not ask for a proof of the address. */
function Verified({ isVerified }: { isVerified: boolean }) {
  const isRequired = useConfiguration().data?.features.signup.verifyEmail;
  if (isVerified) return 'Yes';
  return isRequired === false ? 'No, and not required here' : 'Not yet';
}
