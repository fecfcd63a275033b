import { Confirm } from '../ui/dialog.tsx';

export const LeaveDialog = ({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) => (
  <Confirm
    title="Leave without saving?"
    action="Leave"
    dismiss="Stay"
    pending={false}
    failure={null}
    onConfirm={onLeave}
    onClose={onStay}
  >
    <p>Your changes are kept in this browser. You can restore them when you come back.</p>
  </Confirm>
);
