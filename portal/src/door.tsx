import './kit/tokens.css'
import './kit/base.css'
import { createRoot } from 'react-dom/client'
import { Door } from './pages/door/door.tsx'
import { takeToken } from './pages/door/token.ts'

const token = takeToken()
const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<Door path={location.pathname} token={token} />)
