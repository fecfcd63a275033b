import { Chip } from '../../../ui/chip.tsx';

export const WorkflowState = ({ enabled }: { enabled: boolean }) => (
  <Chip tone={enabled ? 'good' : 'calm'}>{enabled ? 'Enabled' : 'Disabled'}</Chip>
);
