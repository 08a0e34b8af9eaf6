/** Roles, and what each of them means. */
export const roles = {
  names: {
    owner: 'Owner',
    admin: 'Admin',
    developer: 'Developer',
    marketer: 'Marketer',
    author: 'Author',
    viewer: 'Viewer',
  },
  meanings: {
    owner: 'Everything, owners and the installation included.',
    admin: 'Everything but owners.',
    developer: 'Sends, and looks after keys, webhooks, domains, templates and receiving.',
    marketer: 'Writes and sends: templates, audiences, broadcasts, automations.',
    author: 'Writes, and does not send.',
    viewer: 'Reads, and changes nothing.',
  },
  everywhere: (role: string) => `${role} in all projects`,
  inProject: (role: string, project: string) => `${role} in ${project}`,
  none: 'No role',
}
