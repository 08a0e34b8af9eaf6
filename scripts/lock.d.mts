interface LockedPackage {
  version?: string
  integrity?: string
  link?: boolean
  resolved?: string
}

export type LockedPackages = Record<string, LockedPackage>

export function neededBy(packages: LockedPackages, project: string): LockedPackages
