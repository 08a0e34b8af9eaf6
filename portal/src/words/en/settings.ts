/** Settings of the workspace. */
export const settings = {
  title: 'Workspace',
  name: 'Name of the workspace',
  secondFactor: 'Ask everybody for a second factor',
  secondFactorHint:
    'Whoever has neither a passkey nor codes of an authenticator can do nothing until they have added one.',
  sessionDays: 'Longest session, in days',
  sessionDaysHint: 'After that everybody signs in again.',
  sessionIdleHours: 'Signed out after hours of rest',
  sessionIdleHoursHint: 'Without a call, a session ends after that.',
  save: 'Save',
  saved: 'Saved.',
  general: 'General',
  installation: 'Installation',
  version: 'Version',
  publicUrl: 'Address',
  systemSender: 'System sender',
  noSystemSender: 'None. Invitations and links are shown to whoever makes them, and not mailed.',
  systemSenderHint: 'Set by the operator with SYSTEM_SENDER.',
  workspaceId: 'Id of the workspace',
  since: 'Since',
  onlyAdmins: 'Owners and admins of the workspace can change this.',
}
