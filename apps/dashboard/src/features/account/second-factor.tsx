import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountApi } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { FormActions } from '../../ui/form.tsx';
import { Moment } from '../../ui/time.tsx';
import { AddAuthenticatorApp } from './add-authenticator-app.tsx';
import { CodeForm } from './code-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

type Step = 'overview' | 'add' | 'renew' | 'remove';

/** The second factor of the account: turning it on and off, and its recovery codes. */
export function SecondFactor() {
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const { data: factors } = useSuspenseQuery(api.auth.secondFactors.queryOptions());
  const [step, setStep] = useState<Step>('overview');
  const [codes, setCodes] = useState<readonly string[]>([]);
  const done = async (recoveryCodes: readonly string[] = []) => {
    await queryClient.invalidateQueries(api.auth.secondFactors.queryFilter());
    setCodes(recoveryCodes);
    setStep('overview');
  };
  const cancel = () => setStep('overview');

  if (codes.length > 0) return <RecoveryCodes codes={codes} onClose={() => setCodes([])} />;
  if (step === 'add') return <AddAuthenticatorApp onDone={done} onCancel={cancel} />;
  if (step === 'renew' || step === 'remove')
    return <CodeForm action={step} onDone={done} onCancel={cancel} />;
  if (!factors.authenticatorApp) {
    return (
      <>
        <p>Protect your account with a code of an authenticator app, which each login asks for.</p>
        <FormActions>
          <Button onClick={() => setStep('add')}>Set up an authenticator app</Button>
        </FormActions>
      </>
    );
  }
  return (
    <>
      <p>
        On since <Moment at={factors.authenticatorApp.addedAt} />. Each login asks for a code of your
        authenticator app. You have {factors.recoveryCodesLeft} unused recovery codes.
      </p>
      <FormActions>
        <Button onClick={() => setStep('renew')}>Get new recovery codes</Button>
        <Button kind="danger" onClick={() => setStep('remove')}>
          Turn off
        </Button>
      </FormActions>
    </>
  );
}
