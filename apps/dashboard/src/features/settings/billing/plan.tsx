import { currencies } from '@postrider/core/people/billing/contract';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { isLeader, useProject } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { FailureNotice } from '../../../ui/notice.tsx';

const currencyOf = (text: string | undefined) => currencies.find((each) => each === text) ?? 'usd';

/** Pages of the payment provider: its form for a new subscription, or the one where the subscription is managed. */
export function Plan() {
  const project = useProject();
  const api = useApi();
  const onSuccess = ({ url }: { url: string }): void => window.location.assign(url);
  const checkout = useMutation(api.billing.checkout.mutationOptions({ onSuccess }));
  const portal = useMutation(api.billing.portal.mutationOptions({ onSuccess }));
  const { id, customer, subscription } = project;
  if (!isLeader(project)) return <p>{subscription ? 'Subscribed.' : 'No subscription.'}</p>;
  const manage = customer && (
    <Button pending={portal.isPending} icon="external" onClick={() => portal.mutate({ id })}>
      {subscription ? 'Manage subscription' : 'Invoices and payment methods'}
    </Button>
  );
  return (
    <>
      {portal.error && <FailureNotice failure={failureOf(portal.error)} />}
      {subscription ? (
        <>
          <p>This project has a subscription.</p>
          {manage}
        </>
      ) : (
        <Form
          label="Subscription"
          failure={checkout.error ? failureOf(checkout.error) : null}
          onSubmit={({ currency }) => checkout.mutate({ id, currency: currencyOf(currency) })}
        >
          <SelectField name="currency" label="Currency" defaultValue="usd">
            {currencies.map((currency) => (
              <option key={currency} value={currency}>
                {currency.toUpperCase()}
              </option>
            ))}
          </SelectField>
          <FormActions>
            <Button kind="primary" type="submit" pending={checkout.isPending}>
              Start a subscription
            </Button>
            {manage}
          </FormActions>
        </Form>
      )}
    </>
  );
}
