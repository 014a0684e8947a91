globalThis.agonStudio={}
