// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface Notice {
  kind:
    | 'sending_held'
    | 'destination_unreachable'
    | 'destination_slowed'
    | 'destination_paused'
    | 'domain_record_lost'
    | 'domain_unverified'
    | 'bounces_high'
    | 'complaints_high'
    | 'webhook_disabled'
    | 'webhook_failing'
    | 'broadcast_returned'
    | 'automation_failing'
    | 'quota_nearly_used'
    | 'key_expiring'
    | 'role_down'
    | 'role_restarting'
    | 'disk_low'
    | 'database_busy'
    | 'port_25_blocked'
    | 'host_name_wrong'
    | 'certificate_ending'
    | 'public_url_insecure'
    | 'master_key_not_backed_up'
    | 'operator_mail'
  severity: 'problem' | 'warning' | 'hint'
  /** ISO 8601 in UTC, with milliseconds. */
  since: string
  title: string
  /** What it means, and what to do about it. */
  sentence: string
  /** The page of the portal where something can be done about it. */
  link: string
  /** How many things it is about; 100 may be more. */
  count: number
}

export interface NoticeList {
  data: Notice[]
}
