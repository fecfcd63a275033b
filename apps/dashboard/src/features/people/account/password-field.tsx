import { TextField } from '../../../ui/field.tsx';

/** The first second factor of an account takes its password, unless the user has just signed in. */
export const PasswordField = () => (
  <TextField
    name="password"
    label="Password"
    type="password"
    autoComplete="current-password"
    hint="You signed in a while ago. Without a password, sign in again at your provider first."
    required
  />
);
