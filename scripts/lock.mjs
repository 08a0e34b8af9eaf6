// What a lock file says, read without npm: `setup.mjs` runs before anything is installed.

/**
 * The packages that a project of the repository needs: the root (`''`), or a workspace by its folder. The root's
 * packages for development are among them, those of a workspace that nothing in the root needs are not.
 */
export function neededBy(packages, project) {
  const needed = {}
  const visit = (from) => {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = packages[from] ?? {}
    const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies })
    for (const path of names.map((name) => placeOf(packages, from, name))) {
      if (path === undefined || path in needed) continue
      needed[path] = packages[path]
      visit(needed[path].link ? needed[path].resolved : path)
    }
  }
  visit(project)
  return needed
}

/** Where Node finds a package: in the `node_modules` of the folder that asks, or of the nearest one above it. */
function placeOf(packages, from, name) {
  const folders = from === '' ? [] : from.split('/')
  for (let depth = folders.length; depth >= 0; depth--) {
    const path = [...folders.slice(0, depth), 'node_modules', name].join('/')
    if (path in packages) return path
  }
  return undefined
}
