import type { Overview, Project } from '../../../lib/api.ts';

export interface FirstStep {
  name: 'email' | 'address' | 'template' | 'campaign' | 'contacts' | 'domain';
  title: string;
  /** What it is good for. */
  text: string;
  /** The page where it is done. */
  page: string;
  action: string;
  done: boolean;
}

type Owned = Pick<Project, 'role' | 'sandbox'>;
type Facts = Pick<Overview, 'domains' | 'contacts' | 'firstMailSent' | 'hasTemplate' | 'hasCampaign'>;

/** The first mail makes a contact of its recipient. */
const contactsOfFirstMail = 1;

/** The steps from an empty project to the first campaign. The first three need no domain. */
export function firstSteps(
  { domains, contacts, firstMailSent, hasTemplate, hasCampaign }: Facts,
  { role, sandbox: { proven, limit } }: Owned,
): FirstStep[] {
  const address: FirstStep = {
    name: 'address',
    title: 'Confirm your address',
    text: `Open the link that we send you. Until then, the sandbox sends ${limit} marked test emails a day, to you alone.`,
    page: '',
    action: 'Send me the link',
    done: proven,
  };
  return [
    {
      name: 'email',
      title: 'Send your first email',
      text: 'To your own address, from the sandbox sender. No DNS is needed.',
      page: 'keys',
      action: 'Send it to me',
      done: firstMailSent,
    },
    // Only owners can do it for their projects.
    ...(role === 'OWNER' ? [address] : []),
    {
      name: 'template',
      title: 'Create a template',
      text: 'Write an email once, and send it by its id from your code, a campaign or a workflow.',
      page: 'templates/new',
      action: 'Create a template',
      done: hasTemplate,
    },
    {
      name: 'campaign',
      title: 'Draft a campaign',
      text: 'Write to an audience. Drafts are saved; sending to everyone needs a verified domain.',
      page: 'campaigns/new',
      action: 'Draft a campaign',
      done: hasCampaign,
    },
    {
      name: 'contacts',
      title: 'Import contacts',
      text: 'Upload a CSV file. Sending and tracking also create contacts.',
      page: 'contacts#import',
      action: 'Import contacts',
      done: contacts.total > contactsOfFirstMail,
    },
    {
      name: 'domain',
      title: 'Verify a domain',
      text:
        domains.total === 0
          ? 'Add the domain of your sender address and create one DNS record for it, to send to everyone.'
          : 'Its DNS record has not been found yet. It usually is within minutes.',
      page: 'domains',
      action: domains.total === 0 ? 'Add a domain' : 'View DNS record',
      done: domains.verified > 0,
    },
  ];
}
