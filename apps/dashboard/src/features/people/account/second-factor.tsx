import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountApi } from '../../../lib/api.ts';
import { Button } from '../../../ui/button.tsx';
import { FormActions } from '../../../ui/form.tsx';
import { Moment } from '../../../ui/time.tsx';
import { AddAuthenticatorApp } from './add-authenticator-app.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { CodeForm } from './code-form.tsx';
import { type Passkey, PasskeyList } from './passkey-list.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { RemovePasskey } from './remove-passkey.tsx';

type Step = 'overview' | 'add app' | 'add passkey' | 'renew' | 'remove' | Passkey;

/** The second factors of the account: an authenticator app, passkeys, and recovery codes. */
export function SecondFactor() {
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const { data: factors } = useSuspenseQuery(api.auth.getSecondFactors.queryOptions());
  const [step, setStep] = useState<Step>('overview');
  const [codes, setCodes] = useState<readonly string[]>([]);
  const { authenticatorApp: app, passkeys } = factors;
  const hasPasskeys = passkeys.length > 0;
  const done = async (recoveryCodes: readonly string[] = []) => {
    await queryClient.invalidateQueries(api.auth.getSecondFactors.queryFilter());
    setCodes(recoveryCodes);
    setStep('overview');
  };
  const next = { hasPasskeys, onDone: done, onCancel: () => setStep('overview') };

  if (codes.length > 0) return <RecoveryCodes codes={codes} onClose={() => setCodes([])} />;
  if (typeof step === 'object') return <RemovePasskey passkey={step} {...next} />;
  const { needsPassword } = factors;
  if (step === 'add app') return <AddAuthenticatorApp needsPassword={needsPassword} {...next} />;
  if (step === 'add passkey') {
    return <AddPasskey isProtected={app !== null || hasPasskeys} needsPassword={needsPassword} {...next} />;
  }
  if (step === 'renew' || step === 'remove') return <CodeForm action={step} {...next} />;
  return (
    <>
      {app ? (
        <p>
          On since <Moment at={app.addedAt} />. Each login asks for a code of your authenticator app
          {hasPasskeys && ', or a passkey'}.
        </p>
      ) : hasPasskeys ? (
        <p>Each login asks for one of your passkeys.</p>
      ) : (
        <p>Protect your account with a second step at each login: an authenticator app or a passkey.</p>
      )}
      {hasPasskeys && <PasskeyList passkeys={passkeys} onRemove={setStep} />}
      {(app || hasPasskeys) && <p>You have {factors.recoveryCodesLeft} unused recovery codes.</p>}
      <FormActions>
        {!app && <Button onClick={() => setStep('add app')}>Set up an authenticator app</Button>}
        <Button onClick={() => setStep('add passkey')}>Add a passkey</Button>
        {(app || hasPasskeys) && (
          <>
            <Button onClick={() => setStep('renew')}>Get new recovery codes</Button>
            <Button kind="danger" onClick={() => setStep('remove')}>
              Turn off
            </Button>
          </>
        )}
      </FormActions>
    </>
  );
}
