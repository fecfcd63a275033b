-- Addresses that a user or a program adds to the suppression list (B4.20).
ALTER TYPE "SuppressionReason" ADD VALUE 'MANUAL';
