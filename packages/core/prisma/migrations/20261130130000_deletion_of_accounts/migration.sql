-- Links with which accounts without a password are deleted.
ALTER TYPE "AuthTokenKind" ADD VALUE 'DELETE_ACCOUNT';
